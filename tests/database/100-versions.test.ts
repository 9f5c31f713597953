import { describe, expect } from "vitest";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, type Person, type PostRow, words, type World, test, testEach } from "./support/world.ts";

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

describe("a post's version", () => {
  const changes = [
    { title: "Other" },
    { content_raw: words("Other") },
    { tags: ["fix"] },
    { publish_at: inDays(1) },
    { status: "published" },
    { status: "archived" },
    { slug: "other" },
  ];
  testEach(changes)("increases by one with %j, and the row has author and time", async (world, patch) => {
    const post = await world.post();
    const saved = await save(world, post, patch);
    expect(saved.version).toBe(2);
    expect(saved.updated_by_name).toBe("editor");
    expect(saved.updated_at.getTime()).toBeGreaterThanOrEqual(post.updated_at.getTime());
  });

  test("increases once for several changes in one save", async ({ world }) => {
    expect((await save(world, await world.post(), { title: "Other", tags: ["fix"], status: "published" })).version).toBe(2);
  });

  test("stays when the editor only changed its timestamp", async ({ world }) => {
    const post = await world.post({ content_raw: { time: 1, ...words("Same"), version: "2.28.2" } });
    expect((await save(world, post, { content_raw: { time: 2, ...words("Same"), version: "2.28.2" } })).version).toBe(1);
  });
});

describe("a stale save", () => {
  test("is refused with the current version, author and time, and changes nothing", async ({ world }) => {
    const post = await world.post();
    const theirs = await save(world, post, { title: "Theirs" }, 1, "admin");
    expect(await refused(save(world, post, { title: "Mine" }, 1))).toEqual({
      code: "version_conflict",
      message: "Post updated elsewhere",
      detail: { version: 2, updated_at: expect.stringContaining(theirs.updated_at.toISOString().slice(0, 22)), updated_by_name: "admin" },
    });
    expect((await world.tx`select title from public.posts where id = ${post.id}`)[0]!.title).toBe("Theirs");
  });

  test("succeeds by 'Save anyway', which sends no version", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { title: "Theirs" }, 1, "admin");
    expect(await save(world, post, { title: "Mine" })).toMatchObject({ title: "Mine", version: 3 });
  });
});

describe("a retry with the same idempotency key", () => {
  test("saves once and returns the same answer", async ({ world }) => {
    const post = await world.post();
    const first = await save(world, post, { title: "Mine" }, 1, "editor", "k");
    await save(world, post, { title: "Theirs" }, 2, "admin");
    expect(await save(world, post, { title: "Mine" }, 1, "editor", "k")).toEqual(first);
    expect(await revisions(world, post)).toHaveLength(3);
  });

  test("is independent of another user's equal key", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { title: "Mine" }, null, "editor", "k");
    expect(await save(world, post, { title: "Hers" }, null, "admin", "k")).toMatchObject({ title: "Hers", version: 3 });
  });

  test("can't be used for another request", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { title: "One" }, null, "editor", "k");
    expect(await refused(save(world, post, { title: "Two" }, null, "editor", "k"))).toMatchObject({
      code: "validation_failed",
      detail: { idempotency_key: expect.any(String) },
    });
  });

  test("expires after a day", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { title: "One" }, null, "editor", "k");
    await world.tx`update private.request_keys set created_at = now() - interval '25 hours'`;
    expect(await outcome(save(world, post, { title: "Two" }, null, "editor", "k"))).toBe("allowed");
  });

  test("stores no content a second time, and nothing of a deleted post", async ({ world }) => {
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
    expect((await create("k"))[0]).toEqual(post);
    await as("owner", (me) => me`select public.purge_post(${post!.id})`);
    expect(await kept()).toHaveLength(2);
    await as("owner", (me) => me`select public.delete_workspace(${acme}, 'Acme')`);
    expect(await kept()).toEqual([]);
  });

  test("is deleted with its workspace", async ({ world: { as, tx, people } }) => {
    const create = () =>
      as("stranger", (me) => me`select * from public.create_workspace('New', 'of-a-key', 'https://new.example.com', 'PM', 'k')`);
    const [workspace] = await create();
    expect((await create())[0]).toEqual(workspace);
    await tx`delete from public.workspaces where id = ${workspace!.id}`;
    expect(await tx`select from private.request_keys where user_id = ${people.stranger}`).toHaveLength(0);
  });

  test("returns no answer to a user who lost the role", async ({ world }) => {
    const create = () =>
      world.as("editor", (me) => me`select public.create_post(${world.acme}, 'Once', ${words("x") as never}, idempotency_key => 'k')`);
    await create();
    await world.tx`delete from public.members where user_id = ${world.people.editor}`;
    expect(await outcome(create())).toBe("not_found");
  });
});

describe("revisions", () => {
  test("store every version with its author and time", async ({ world }) => {
    const post = await world.post({ tags: ["fix"] });
    await save(world, post, { title: "Second", content_raw: words("Second") }, null, "admin");
    expect([...(await revisions(world, post))]).toMatchObject([
      { version: 1, title: "Dark mode", tags: ["fix"], author_name: "owner", status: "draft", content_raw: words("It is dark.") },
      { version: 2, title: "Second", tags: ["fix"], author_name: "admin", author_id: world.people.admin, content_raw: words("Second") },
    ]);
  });

  test("can be restored as the newest version, which keeps the status", async ({ world }) => {
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
  });

  test("that don't exist are not found, and a stale restore conflicts", async ({ world }) => {
    const post = await world.post();
    const restore = (version: number, expected: number | null) =>
      world.as("editor", (me) => me`select public.restore_revision(${post.id}, ${version}, ${expected})`);
    expect(await outcome(restore(7, null))).toBe("not_found");
    await save(world, post, { title: "Second" });
    expect(await outcome(restore(1, 1))).toBe("version_conflict");
  });

  test("are deleted with a purged post", async ({ world }) => {
    const post = await world.post();
    await world.as("editor", (me) => me`select public.purge_post(${post.id})`);
    expect(await revisions(world, post)).toHaveLength(0);
  });

  test("keep names of deleted accounts", async ({ world }) => {
    const post = await world.post();
    await save(world, post, { title: "Second" }, null, "admin");
    await world.tx`delete from auth.users where id = ${world.people.admin}`;
    expect((await revisions(world, post))[1]).toMatchObject({ author_name: "admin" });
    const [seen] = await world.as("viewer", (me) => me`select version, updated_by_name from public.read_post(${post.id})`);
    expect(seen).toEqual({ version: 2, updated_by_name: "admin" });
  });
});

describe("autosaved drafts", () => {
  const autosave = async (
    { as }: World,
    post: { id: string },
    patch: object,
    version: number | null,
    person: Person = "editor",
    key = "",
  ) =>
    (
      await as(
        person,
        (me) => me<PostRow[]>`select * from public.save_post(${post.id}, ${patch as never}, ${version}, ${key || null}, true)`,
      )
    )[0]!;
  const kept = async (world: World, post: { id: string }) => (await revisions(world, post)).map((row) => row.version as number);
  const later = ({ tx }: World, post: { id: string }, minutes: number) =>
    tx`update public.post_revisions set autosaves_since = autosaves_since - make_interval(mins => ${minutes}) where post_id = ${post.id}`;

  test("count every version and keep one revision of a run; the first version stays", async ({ world }) => {
    const post = await world.post();
    for (const version of [1, 2, 3, 4]) {
      expect((await autosave(world, post, { content_raw: words(`Words ${version}`) }, version)).version).toBe(version + 1);
    }
    expect(await kept(world, post)).toEqual([1, 5]);
    expect(await outcome(autosave(world, post, { title: "Stale" }, 4))).toBe("version_conflict");
  });

  test("start another revision after ten minutes, also without a pause", async ({ world }) => {
    const post = await world.post();
    await autosave(world, post, { title: "One" }, 1);
    await later(world, post, 9);
    await autosave(world, post, { title: "Two" }, 2);
    await later(world, post, 2); // eleven minutes since the run started
    await autosave(world, post, { title: "Three" }, 3);
    expect(await kept(world, post)).toEqual([1, 3, 4]);
  });

  test("never replace another user's revision or one saved by hand", async ({ world }) => {
    const post = await world.post();
    await autosave(world, post, { title: "Two" }, 1);
    await autosave(world, post, { title: "Three" }, 2, "admin");
    await save(world, post, { title: "Four" }, 3, "admin");
    await autosave(world, post, { title: "Five" }, 4, "admin");
    await autosave(world, post, { title: "Six" }, 5, "admin");
    expect(await kept(world, post)).toEqual([1, 2, 3, 4, 6]);
  });

  test("keep the revision once it is saved by hand", async ({ world }) => {
    const post = await world.post();
    await autosave(world, post, { title: "Two" }, 1);
    expect((await save(world, post, { title: "Two" }, 2)).version).toBe(2);
    await autosave(world, post, { title: "Three" }, 2);
    expect(await kept(world, post)).toEqual([1, 2, 3]);
  });

  test("can lack a title and text, and readers never see them", async ({ world }) => {
    const [made] = await world.as(
      "editor",
      (me) => me<PostRow[]>`select * from public.create_post(${world.acme}, '  ', ${{ blocks: [] } as never}, autosaved => true)`,
    );
    expect(made).toMatchObject({ title: "", status: "draft", version: 1, slug: "post" });
    for (const status of ["published", "scheduled"]) {
      const patch = { status, publish_at: status === "scheduled" ? inDays(1) : null, content_raw: words("Words") };
      expect(await refused(save(world, made!, patch, 1))).toMatchObject({ detail: { title: "Title is required" } });
    }
    expect(await refused(save(world, made!, { title: " " }, 1))).toMatchObject({ detail: { title: "Title is required" } });
    expect(await outcome(save(world, made!, { status: "archived" }))).toBe("allowed");
  });

  testEach(["scheduled", "published", "archived"] as const)("must be drafts: a post that is %s is refused", async (world, status) => {
    const post = await world.post({
      status: status === "archived" ? "draft" : status,
      publish_at: status === "scheduled" ? inDays(1) : null,
    });
    if (status === "archived") await world.as("editor", (me) => me`select public.save_post(${post.id}, '{"status": "archived"}')`);
    const version = status === "archived" ? 2 : 1;
    expect(["validation_failed", "archived_post_locked"]).toContain(await outcome(autosave(world, post, { title: "Mine" }, version)));
    expect(await outcome(autosave(world, post, { title: "Mine" }, 7))).toBe("version_conflict");
  });

  testEach([{ status: "published" }, { status: "scheduled", publish_at: inDays(1) }, { publish_at: inDays(1) }])(
    "can't change the status: %j is refused",
    async (world, patch) => {
      expect(await refused(autosave(world, await world.post(), patch, 1))).toMatchObject({
        detail: { autosave: "Only drafts can be autosaved" },
      });
    },
  );

  test("return a lost answer on retry, though the version was merged since", async ({ world }) => {
    const post = await world.post();
    const first = await autosave(world, post, { content_raw: words("Two") }, 1, "editor", "k");
    await autosave(world, post, { content_raw: words("Three") }, 2);
    expect(await kept(world, post)).toEqual([1, 3]);
    expect(await autosave(world, post, { content_raw: words("Two") }, 1, "editor", "k")).toEqual({
      ...first,
      content_raw: words("Three"),
    });
  });

  test("skip the title check in that call only, not later in the transaction", async ({ world }) => {
    const post = await world.post();
    await autosave(world, post, { title: "" }, 1);
    expect(await outcome(world.post({ title: "" }))).toBe("validation_failed");
  });

  test("restore a version without a title with the current one", async ({ world }) => {
    const post = await world.post();
    await autosave(world, post, { title: "", content_raw: words("Untitled words") }, 1);
    await save(world, post, { title: "Titled", content_raw: words("Other") }, 2);
    const [restored] = await world.as("editor", (me) => me`select * from public.restore_revision(${post.id}, 2, 3)`);
    expect(restored).toMatchObject({ version: 4, title: "Titled", content_raw: words("Untitled words") });
  });
});
