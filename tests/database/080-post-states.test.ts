import { describe, expect } from "vitest";
import { postStatuses, type PostStatus } from "#contract/kinds.ts";
import { statusMoves } from "../support/status-moves.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, type Person, type PostRow, words, type World, test, testEach } from "./support/world.ts";

async function inState(world: World, state: PostStatus | "due"): Promise<PostRow> {
  const { tx } = world;
  if (state === "draft") return world.post();
  if (state === "scheduled") return world.post({ publish_at: inDays(2) });
  if (state === "published") return world.post({ status: "published" });
  const post = await world.post(state === "due" ? { publish_at: inDays(2) } : {});
  if (state === "archived") return (await change(world, post, { status: "archived" }))!;
  await tx`set local session_replication_role = replica`;
  const [due] = await tx<
    PostRow[]
  >`update public.posts set publish_at = date_trunc('second', now() - interval '3 seconds') where id = ${post.id} returning *`;
  await tx`set local session_replication_role = origin`;
  return due!;
}

const change = async (world: World, post: PostRow, set: Record<string, unknown>): Promise<PostRow | undefined> =>
  (await world.as("editor", (me) => me<PostRow[]>`update public.posts set ${me(set as never)} where id = ${post.id} returning *`))[0];
const save = async (world: World, post: PostRow, patch: object): Promise<PostRow> =>
  (await world.as("editor", (me) => me<PostRow[]>`select * from public.save_post(${post.id}, ${patch as never})`))[0]!;

describe("a post's status changes by the same table as contract/rules/post-status", () => {
  testEach(statusMoves)("changes from %s to %s: %s", async (world, from, to, allowed) => {
    const post = await inState(world, from);
    const set = to === "scheduled" && from !== "scheduled" ? { status: to, publish_at: inDays(1) } : { status: to };
    const expected = allowed ? "allowed" : from === "published" ? "published_post_locked" : "archived_post_locked";
    expect(await outcome(change(world, post, set))).toBe(expected);
    expect(await outcome(save(world, post, set))).toBe(expected);
  });

  testEach(postStatuses)("a due post changes like a published one → %s", async (world, to) => {
    const post = await inState(world, "due");
    const set = to === "scheduled" ? { status: to, publish_at: inDays(1) } : { status: to };
    const [, , allowed] = statusMoves.find(([from, other]) => from === "published" && other === to)!;
    expect(await outcome(change(world, post, set))).toBe(allowed ? "allowed" : "published_post_locked");
  });
});

test("the owner opens the changelog and publishes in one step, or neither", async ({ world }) => {
  const post = await world.post();
  await world.tx`update public.workspaces set public_changelog_enabled = false where id = ${world.acme}`;
  const states = () => world.tx`select p.status, w.public_changelog_enabled as is_public
    from public.posts p join public.workspaces w on w.id = p.workspace_id where p.id = ${post.id}`;
  const patch = { status: "published", public_changelog_enabled: true };
  const publish = (person: Person, version: number) =>
    outcome(world.as(person, (me) => me`select public.save_post(${post.id}, ${patch as never}, ${version})`));
  expect([await publish("editor", 1), await publish("stranger", 1), await publish("owner", 7)]).toEqual([
    "forbidden",
    "not_found",
    "version_conflict",
  ]);
  expect(await states()).toEqual([{ status: "draft", is_public: false }]);
  expect(await publish("owner", 1)).toBe("allowed");
  expect(await states()).toEqual([{ status: "published", is_public: true }]);
});

describe("a new post", () => {
  testEach([
    [{}, { status: "draft", publish_at: null, published_at: null }],
    [{ publish_at: inDays(1) }, { status: "scheduled", published_at: null }],
    [
      { status: "scheduled", publish_at: inDays(1) },
      { status: "scheduled", published_at: null },
    ],
    [{ status: "published" }, { status: "published", publish_at: null, published_at: expect.any(Date) }],
    [
      { status: "published", publish_at: inDays(1) },
      { status: "published", publish_at: null, published_at: expect.any(Date) },
    ],
  ])("created with %j is %j", async ({ post }, columns, expected) => expect(await post(columns)).toMatchObject(expected));

  test("can't be archived", async ({ world: { post } }) => {
    expect(await refused(post({ status: "archived" }))).toMatchObject({
      code: "validation_failed",
      detail: { status: expect.any(String) },
    });
  });
});

describe("scheduling", () => {
  test("of a draft happens when it gets a time", async ({ world }) => {
    expect(await change(world, await inState(world, "draft"), { publish_at: inDays(1) })).toMatchObject({ status: "scheduled" });
  });

  testEach([{ status: "draft" }, { publish_at: null }, { status: "draft", publish_at: null }])(
    "%j unschedules it and clears the time",
    async (world, set) => {
      expect(await change(world, await inState(world, "scheduled"), set)).toMatchObject({ status: "draft", publish_at: null });
    },
  );

  test("is undone by an explicit draft status, which drops the time", async ({ world }) => {
    expect(await save(world, await inState(world, "scheduled"), { status: "draft", publish_at: inDays(3) })).toMatchObject({
      status: "draft",
      publish_at: null,
    });
  });

  test("requires a time", async ({ world }) => {
    expect(await refused(change(world, await inState(world, "draft"), { status: "scheduled" }))).toMatchObject({
      code: "validation_failed",
      detail: { publish_at: "Please select a date and time" },
    });
  });

  testEach([inDays(3_700), "9999-12-31T23:59:59-14:00", "20000-01-01"])("rejects the out-of-range time %s", async (world, publish_at) => {
    expect(await refused(save(world, await world.post(), { publish_at }))).toMatchObject({
      code: "validation_failed",
      detail: { publish_at: "Please choose a time within the next ten years" },
    });
  });

  test("rejects times that clients can't write, even past the triggers", async ({ world }) => {
    const post = await world.post();
    await world.tx`set local session_replication_role = replica`;
    expect(await outcome(world.tx.unsafe(`update public.posts set publish_at = '20000-01-01' where id = '${post.id}'`))).toBe("23514");
  });

  testEach([inDays(-1), new Date(Date.now() - 120_000), "infinity", "-infinity"])("rejects the time %s", async (world, publish_at) => {
    for (const state of ["draft", "scheduled"] as const) {
      const post = await inState(world, state);
      expect(await refused(save(world, post, { publish_at }))).toMatchObject({
        code: "validation_failed",
        detail: { publish_at: "Please choose a time in the future" },
      });
    }
  });

  test("accepts the current minute", async ({ world }) => {
    expect(await change(world, await inState(world, "draft"), { publish_at: new Date(Date.now() - 20_000) })).toMatchObject({
      status: "scheduled",
    });
  });

  test("doesn't validate an existing time again on a later save", async ({ world }) => {
    const post = await inState(world, "scheduled");
    expect(await save(world, post, { title: "Renamed", publish_at: post.publish_at })).toMatchObject({
      status: "scheduled",
      title: "Renamed",
    });
  });
});

describe("publishing", () => {
  test("uses the server's clock and clears a pending schedule", async ({ world }) => {
    const post = await change(world, await inState(world, "scheduled"), { status: "published" });
    expect(post).toMatchObject({ publish_at: null, published_at: expect.any(Date) });
    expect(Math.abs((post!.published_at as Date).getTime() - Date.now())).toBeLessThan(60_000);
  });

  test("sets the date once: archiving, restoring and publishing again keep it", async ({ world }) => {
    const first = await inState(world, "published");
    await change(world, first, { status: "archived" });
    const restored = await change(world, first, { status: "draft" });
    expect(restored).toMatchObject({ status: "draft", archived_at: null, publish_at: null, published_at: first.published_at });
    expect(await change(world, first, { status: "published" })).toMatchObject({ status: "published", published_at: first.published_at });
  });

  test("keeps the content editable", async ({ world }) => {
    expect(await change(world, await inState(world, "published"), { title: "Better", content_raw: words("Better.") })).toMatchObject({
      title: "Better",
      status: "published",
    });
  });

  testEach([
    [null, "allowed"],
    [inDays(1), "published_post_locked"],
    [inDays(-1), "published_post_locked"],
  ])("makes the time %s %s", async (world, publish_at, expected) => {
    const post = await inState(world, "published");
    expect(await outcome(change(world, post, { publish_at }))).toBe(expected);
    expect(await outcome(save(world, post, { publish_at }))).toBe(expected);
  });

  test("on time uses the scheduled time as the date, also when a user updates the post first", async ({ world }) => {
    const due = await inState(world, "due");
    expect(await change(world, due, { title: "Edited in the same second" })).toMatchObject({
      status: "published",
      published_at: due.publish_at,
      publish_at: due.publish_at,
    });
  });

  test("succeeds by 'Save anyway' from an editor that still shows the schedule", async ({ world }) => {
    const due = await inState(world, "due");
    await world.tx`select private.publish_due_posts()`;
    expect(await save(world, due, { title: "Anyway", publish_at: due.publish_at })).toMatchObject({
      status: "published",
      title: "Anyway",
    });
  });
});

describe("archiving", () => {
  testEach(["draft", "scheduled", "published", "due"] as const)(
    "%s → archived keeps the publication date and clears a pending schedule",
    async (world, state) => {
      const post = await inState(world, state);
      const archived = await change(world, post, { status: "archived" });
      expect(archived).toMatchObject({
        status: "archived",
        archived_at: expect.any(Date),
        publish_at: state === "due" ? post.publish_at : null,
      });
    },
  );

  test("twice changes nothing", async ({ world }) => {
    const archived = await inState(world, "archived");
    const [again] = await world.as("editor", (me) => me`select * from public.save_post(${archived.id}, '{"status": "archived"}')`);
    expect(again).toMatchObject({ version: archived.version, archived_at: archived.archived_at });
  });

  testEach([{ title: "x" }, { content_raw: words("other") }, { tags: ["x"] }, { slug: "x" }, { publish_at: inDays(1) }])(
    "an archived post can't be edited: %j",
    async (world, set) => expect(await outcome(change(world, await inState(world, "archived"), set))).toBe("archived_post_locked"),
  );
});
