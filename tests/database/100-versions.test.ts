import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, inWorld, type Person, type PostRow, words, type World } from "./support/world.ts";

const sql = connect();
const save = async (
  { as }: World,
  post: { id: string },
  patch: object,
  version: number | null = null,
  person: Person = "editor",
  key: string | null = null,
) => (await as(person, (me) => me<PostRow[]>`select * from public.save_post(${post.id}, ${patch as never}, ${version}, ${key})`))[0]!;
const revisions = ({ tx }: World, post: { id: string }) =>
  tx`select * from public.post_revisions where post_id = ${post.id} order by version`;

describe("the version", () => {
  const changes = [
    { title: "Other" },
    { content_raw: words("Other") },
    { tags: ["fix"] },
    { publish_at: inDays(1) },
    { status: "published" },
    { status: "archived" },
    { slug: "other" },
  ];
  test.each(changes)("goes up by one with %j, and the row says who and when", (patch) =>
    inWorld(sql, async (world) => {
      const post = await world.post();
      const saved = await save(world, post, patch);
      expect(saved.version).toBe(2);
      expect(saved.updated_by_name).toBe("editor");
      expect(saved.updated_at.getTime()).toBeGreaterThanOrEqual(post.updated_at.getTime());
    })(),
  );

  test(
    "is one for several changes in one save",
    inWorld(sql, async (world) => {
      expect((await save(world, await world.post(), { title: "Other", tags: ["fix"], status: "published" })).version).toBe(2);
    }),
  );

  test.each([{}, { title: " Dark  mode " }, { tags: [] }, { status: "draft" }, { publish_at: null }])(
    "stays with a save that changes nothing: %j",
    (patch) =>
      inWorld(sql, async (world) => {
        const post = await world.post();
        const saved = await save(world, post, patch);
        expect(saved).toMatchObject({ version: 1, updated_at: post.updated_at });
        expect(await revisions(world, post)).toHaveLength(1);
      })(),
  );

  test(
    "stays when the editor only stamped a new time",
    inWorld(sql, async (world) => {
      const post = await world.post({ content_raw: { time: 1, ...words("Same"), version: "2.28.2" } });
      expect((await save(world, post, { content_raw: { time: 2, ...words("Same"), version: "2.28.2" } })).version).toBe(1);
    }),
  );
});

describe("a stale save", () => {
  test(
    "is refused with the current version, who and when, and changes nothing",
    inWorld(sql, async (world) => {
      const post = await world.post();
      const theirs = await save(world, post, { title: "Theirs" }, 1, "admin");
      expect(await refused(save(world, post, { title: "Mine" }, 1))).toEqual({
        code: "version_conflict",
        message: "Post updated elsewhere",
        detail: { version: 2, updated_at: expect.stringContaining(theirs.updated_at.toISOString().slice(0, 22)), updated_by_name: "admin" },
      });
      expect((await world.tx`select title from public.posts where id = ${post.id}`)[0]!.title).toBe("Theirs");
    }),
  );

  test(
    "'Save anyway' sends no version and wins",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await save(world, post, { title: "Theirs" }, 1, "admin");
      expect(await save(world, post, { title: "Mine" })).toMatchObject({ title: "Mine", version: 3 });
    }),
  );

  test(
    "a version that never was is stale too",
    inWorld(sql, async (world) => expect(await outcome(save(world, await world.post(), { title: "x" }, 99))).toBe("version_conflict")),
  );
});

describe("a retry with the same key", () => {
  test(
    "saves once and answers the same",
    inWorld(sql, async (world) => {
      const post = await world.post();
      const first = await save(world, post, { title: "Mine" }, 1, "editor", "k");
      await save(world, post, { title: "Theirs" }, 2, "admin");
      expect(await save(world, post, { title: "Mine" }, 1, "editor", "k")).toEqual(first);
      expect(await revisions(world, post)).toHaveLength(3);
    }),
  );

  test(
    "creates once",
    inWorld(sql, async ({ as, acme, tx }) => {
      const create = () =>
        as("editor", (me) => me`select * from public.create_post(${acme}, 'Once', ${words("x") as never}, idempotency_key => 'k')`);
      expect((await create())[0]).toEqual((await create())[0]);
      expect(await tx`select from public.posts where workspace_id = ${acme}`).toHaveLength(1);
    }),
  );

  test(
    "another person's equal key is another key",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await save(world, post, { title: "Mine" }, null, "editor", "k");
      expect(await save(world, post, { title: "Hers" }, null, "admin", "k")).toMatchObject({ title: "Hers", version: 3 });
    }),
  );

  test(
    "a key is not for two things",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await save(world, post, { title: "One" }, null, "editor", "k");
      expect(await refused(save(world, post, { title: "Two" }, null, "editor", "k"))).toMatchObject({
        code: "validation_failed",
        detail: { idempotency_key: expect.any(String) },
      });
    }),
  );

  test(
    "a refused call leaves its key free",
    inWorld(sql, async (world) => {
      const post = await world.post();
      expect(await outcome(save(world, post, { title: "" }, null, "editor", "k"))).toBe("validation_failed");
      expect(await outcome(save(world, post, { title: "Good" }, null, "editor", "k"))).toBe("allowed");
    }),
  );

  test(
    "after a day the key is free again",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await save(world, post, { title: "One" }, null, "editor", "k");
      await world.tx`update private.request_keys set created_at = now() - interval '25 hours'`;
      expect(await outcome(save(world, post, { title: "Two" }, null, "editor", "k"))).toBe("allowed");
    }),
  );

  test(
    "keeps no content a second time, and nothing of what is gone",
    inWorld(sql, async (world) => {
      const { as, acme, tx, people } = world;
      const create = (key: string) =>
        as(
          "owner",
          (me) =>
            me<PostRow[]>`select * from public.create_post(${acme}, 'Secret', ${words("Top secret") as never}, idempotency_key => ${key})`,
        );
      const kept = async () =>
        (await tx`select answer::text from private.request_keys where user_id = ${people.owner}`).map((row) => row.answer as string);
      const [post] = await create("k");
      await create("k2");
      await save(world, post!, { content_raw: words("More secret") }, null, "owner", "k3");
      await as("owner", (me) => me`select public.create_invite(${acme}, 'viewer', idempotency_key => 'k4')`);
      expect(await kept()).toHaveLength(4);
      expect((await kept()).join()).not.toContain("content_raw");
      expect((await create("k"))[0]).toEqual(post); // as it was, with its content
      await as("owner", (me) => me`select public.purge_post(${post!.id})`);
      expect(await kept()).toHaveLength(2);
      await as("owner", (me) => me`select public.delete_workspace(${acme}, 'Acme')`);
      expect(await kept()).toEqual([]);
    }),
  );

  test(
    "of a workspace goes with the workspace",
    inWorld(sql, async ({ as, tx, people }) => {
      const create = () =>
        as("stranger", (me) => me`select * from public.create_workspace('New', 'of-a-key', 'https://new.example.com', 'PM', 'k')`);
      const [workspace] = await create();
      expect((await create())[0]).toEqual(workspace);
      await tx`delete from public.workspaces where id = ${workspace!.id}`;
      expect(await tx`select from private.request_keys where user_id = ${people.stranger}`).toHaveLength(0);
    }),
  );

  test(
    "whoever lost his role meanwhile gets no old answer",
    inWorld(sql, async (world) => {
      const create = () =>
        world.as("editor", (me) => me`select public.create_post(${world.acme}, 'Once', ${words("x") as never}, idempotency_key => 'k')`);
      await create();
      await world.tx`delete from public.members where user_id = ${world.people.editor}`;
      expect(await outcome(create())).toBe("not_found");
    }),
  );
});

describe("revisions", () => {
  test(
    "hold every version: what, by whom, when",
    inWorld(sql, async (world) => {
      const post = await world.post({ tags: ["fix"] });
      await save(world, post, { title: "Second", content_raw: words("Second") }, null, "admin");
      expect([...(await revisions(world, post))]).toMatchObject([
        { version: 1, title: "Dark mode", tags: ["fix"], author_name: "owner", status: "draft", content_raw: words("It is dark.") },
        { version: 2, title: "Second", tags: ["fix"], author_name: "admin", author_id: world.people.admin, content_raw: words("Second") },
      ]);
    }),
  );

  test(
    "one is restored as the newest version; the state stays",
    inWorld(sql, async (world) => {
      const post = await world.post({ tags: ["fix"] });
      await save(world, post, { title: "Second", content_raw: words("Second"), tags: [], status: "published" });
      const [restored] = await world.as("editor", (me) => me`select * from public.restore_revision(${post.id}, 1, 2)`);
      expect(restored).toMatchObject({
        version: 3,
        title: "Dark mode",
        tags: ["fix"],
        status: "published",
        content_raw: words("It is dark."),
      });
    }),
  );

  test(
    "one that is not there is not found; a stale restore conflicts",
    inWorld(sql, async (world) => {
      const post = await world.post();
      const restore = (version: number, expected: number | null) =>
        world.as("editor", (me) => me`select public.restore_revision(${post.id}, ${version}, ${expected})`);
      expect(await outcome(restore(7, null))).toBe("not_found");
      await save(world, post, { title: "Second" });
      expect(await outcome(restore(1, 1))).toBe("version_conflict");
    }),
  );

  test(
    "go with the purged post",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await world.as("editor", (me) => me`select public.purge_post(${post.id})`);
      expect(await revisions(world, post)).toHaveLength(0);
    }),
  );

  test(
    "names stay when accounts go",
    inWorld(sql, async (world) => {
      const post = await world.post();
      await save(world, post, { title: "Second" }, null, "admin");
      await world.tx`delete from auth.users where id = ${world.people.admin}`;
      expect((await revisions(world, post))[1]).toMatchObject({ author_name: "admin" });
      const [seen] = await world.as("viewer", (me) => me`select version, updated_by_name from public.read_post(${post.id})`);
      expect(seen).toEqual({ version: 2, updated_by_name: "admin" });
    }),
  );
});
