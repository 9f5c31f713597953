import { createHash, randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect, rolledBack } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { makeWorld, type Person, type PostRow, type World, test } from "./support/world.ts";

const sql = connect();

interface Said {
  id: string;
  user_id: string | null;
  name: string;
  text: string;
  mentions: { user_id: string; name: string }[];
  edited_at: string | null;
}
interface Thread {
  id: string;
  block_id: string | null;
  quote: string;
  resolved_at: string | null;
  resolved_by_name: string | null;
  comments: Said[];
}

const blocks = { blocks: [{ id: "first", type: "paragraph", data: { text: "It is <b>dark</b> &amp; quiet." } }] };
const draft = (world: World): Promise<PostRow> => world.post({ content_raw: blocks });

const ask = <T>(world: World, person: Person | "anon", statement: string, values: unknown[]): Promise<T> =>
  world.as(person, async (me) => (await me.unsafe(`select ${statement} as answer`, values as never))[0]!.answer as T);
const begin = (
  world: World,
  person: Person | "anon",
  post: string,
  text = "Is this so?",
  block: string | null = "first",
  people: string[] = [],
) => ask<Thread>(world, person, "public.add_comment($1, $2, block_id => $3, mentions => $4::uuid[])", [post, text, block, people]);
const reply = (world: World, person: Person, post: string, thread: string, text = "It is.", people: string[] = []) =>
  ask<Thread>(world, person, "public.add_comment($1, $2, $3, mentions => $4::uuid[])", [post, text, thread, people]);
const settle = (world: World, person: Person, post: string, thread: string, resolved: boolean) =>
  ask<Thread>(world, person, "public.settle_thread($1, $2, $3)", [post, thread, resolved]);
const change = (world: World, person: Person, post: string, { id, comments }: Thread, text: string, people: string[] = []) =>
  ask<Thread>(world, person, "public.change_comment($1, $2, $3, $4, $5::uuid[])", [post, id, comments[0]!.id, text, people]);
const remove = (world: World, person: Person, post: string, thread: string, comment: string) =>
  ask<null>(world, person, "public.remove_comment($1, $2, $3)", [post, thread, comment]);
const threads = (world: World, person: Person | "anon", post: string) => ask<Thread[]>(world, person, "public.post_threads($1)", [post]);
const mails = async ({ tx, acme }: World) =>
  await tx<{ target_id: string; data: { text: string; thread_id: string } }[]>`
    select target_id, data from private.deliveries where workspace_id = ${acme} and kind = 'mentioned' and state = 'waiting' order by created_at`;

describe("a thread", () => {
  test("belongs to a block, keeps its text, and can be answered, resolved and reopened", async ({ world }) => {
    const post = await draft(world);
    const begun = await begin(world, "editor", post.id, "  Is this so?\r\nReally? ");
    expect(begun).toMatchObject({ block_id: "first", quote: "It is dark & quiet.", resolved_at: null });
    expect(begun.comments).toMatchObject([{ user_id: world.people.editor, name: "editor", text: "Is this so?\nReally?", edited_at: null }]);
    expect((await reply(world, "admin", post.id, begun.id)).comments.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      "editor: Is this so?\nReally?",
      "admin: It is.",
    ]);
    expect(await settle(world, "owner", post.id, begun.id, true)).toMatchObject({ resolved_by_name: "owner" });
    expect(await settle(world, "editor", post.id, begun.id, true)).toMatchObject({ resolved_by_name: "owner" });
    expect(await reply(world, "mixed", post.id, begun.id, "No.")).toMatchObject({ resolved_at: null, resolved_by_name: null });
    const whole = await begin(world, "owner", post.id, "Nice", null);
    expect(whole).toMatchObject({ block_id: null, quote: "" });
    expect((await threads(world, "viewer", post.id)).map(({ id }) => id)).toEqual([begun.id, whole.id]);
  });

  test("on an unsaved block keeps the words that its author saw", async ({ world }) => {
    const post = await draft(world);
    const asked = (block: string) =>
      ask<Thread>(world, "editor", "public.add_comment($1, 'Why?', block_id => $2, quote => $3)", [post.id, block, "x".repeat(300)]);
    expect((await asked("new")).quote).toBe("x".repeat(200));
    expect((await asked("first")).quote).toBe("It is dark & quiet.");
    expect(await refused(asked("no such id"))).toMatchObject({
      code: "validation_failed",
      detail: { block_id: "This is not a valid id" },
    });
  });

  test("is deleted with its last comment, and with its post", async ({ world }) => {
    const post = await draft(world);
    const thread = await begin(world, "editor", post.id);
    const [, second] = (await reply(world, "admin", post.id, thread.id)).comments;
    await remove(world, "editor", post.id, thread.id, thread.comments[0]!.id);
    expect(await threads(world, "owner", post.id)).toHaveLength(1);
    await remove(world, "admin", post.id, thread.id, second!.id);
    expect(await threads(world, "owner", post.id)).toEqual([]);
    await begin(world, "editor", post.id);
    await world.as("owner", (me) => me`select public.purge_post(${post.id})`);
    expect(await world.tx`select from private.comments where workspace_id = ${world.acme}`).toHaveLength(0);
  });
});

describe("a comment", () => {
  test("is limited to two hundred a thread, five hundred threads, two thousand comments and half a million characters a post", async ({
    world,
  }) => {
    const [post, long, many] = [await draft(world), await draft(world), await draft(world)];
    const { id } = await begin(world, "editor", post.id);
    const put = (thread: string, text: string, count: number) => world.tx`
        insert into private.comments (workspace_id, thread_id, name, text) select ${world.acme}, ${thread}, 'Many', ${text} from generate_series(1, ${count})`;
    await put(id, "x", 199);
    expect((await refused(reply(world, "editor", post.id, id))).detail).toEqual({
      text: "This thread has 200 comments. Start another one.",
    });
    const full = await begin(world, "editor", long.id);
    await put(full.id, "x".repeat(5_000), 99);
    expect(await outcome(reply(world, "editor", long.id, full.id, "x".repeat(5_000)))).toBe("validation_failed");
    expect(await outcome(reply(world, "editor", long.id, full.id, "x".repeat(4_000)))).toBe("allowed");
    await world.tx`insert into private.comment_threads (workspace_id, post_id, quote) select ${world.acme}, ${many.id}, '' from generate_series(1, 500)`;
    expect((await refused(begin(world, "editor", many.id))).detail).toEqual({
      text: "This post has 500 threads. Please delete some first.",
    });
    const short = await begin(world, "editor", (await draft(world)).id);
    const [of] = await world.tx`select post_id from private.comment_threads where id = ${short.id}`;
    const more = await world.tx`insert into private.comment_threads (workspace_id, post_id, quote)
        select ${world.acme}, ${of!.post_id}, '' from generate_series(1, 10) returning id`;
    for (const thread of more) await put(thread.id as string, "x", thread === more[0] ? 198 : 200);
    expect(await outcome(reply(world, "editor", of!.post_id as string, short.id, "x"))).toBe("allowed");
    expect((await refused(reply(world, "editor", of!.post_id as string, short.id, "x"))).detail).toEqual({
      text: "This post has 2,000 comments. Please delete some first.",
    });
  });
});

describe("a mention", () => {
  test("emails members once, but not the author or non-members", async ({ world }) => {
    const post = await draft(world);
    const { editor, admin, rival, viewer, stranger } = world.people;
    const thread = await begin(world, "editor", post.id, "@admin?", null, [editor, admin, admin, rival, stranger]);
    expect(thread.comments[0]!.mentions).toEqual([
      { user_id: admin, name: "admin" },
      { user_id: editor, name: "editor" },
    ]);
    expect(await mails(world)).toMatchObject([
      { target_id: admin, data: { text: "@admin?", thread_id: thread.id, by: "editor", title: "Dark mode" } },
    ]);
    await change(world, "editor", post.id, thread, "@admin and @viewer?", [admin, viewer]);
    expect((await mails(world)).map(({ target_id, data }) => [target_id, data.text])).toEqual([
      [admin, "@admin and @viewer?"],
      [viewer, "@admin and @viewer?"],
    ]);
    await change(world, "editor", post.id, thread, "@viewer?", [viewer]);
    expect((await mails(world)).map(({ target_id }) => target_id)).toEqual([viewer]);
    await remove(world, "editor", post.id, thread.id, thread.comments[0]!.id);
    expect(await mails(world)).toEqual([]);
    expect(
      await outcome(
        begin(
          world,
          "editor",
          post.id,
          "all",
          null,
          Array.from({ length: 21 }, () => randomUUID()),
        ),
      ),
    ).toBe("validation_failed");
  });

  test("in two comments of a thread is emailed once, by the other one if the first is deleted before", async ({ world }) => {
    const post = await draft(world);
    const { admin, viewer } = world.people;
    const thread = await begin(world, "editor", post.id, "@admin first", null, [admin, viewer]);
    await reply(world, "owner", post.id, thread.id, "@admin second", [admin]);
    await reply(world, "admin", post.id, thread.id, "@admin myself", [admin]);
    const told = async () => (await mails(world)).map(({ target_id, data }) => [target_id, data.text]);
    expect(await told()).toEqual([
      [admin, "@admin first"],
      [viewer, "@admin first"],
    ]);
    await remove(world, "editor", post.id, thread.id, thread.comments[0]!.id);
    expect(await mails(world)).toMatchObject([
      { target_id: admin, data: { text: "@admin second", by: "owner", thread_id: thread.id, title: "Dark mode" } },
    ]);
  });
});

describe("a visitor with a preview link", () => {
  const token = "t".repeat(43);
  const hash = createHash("sha256").update(token).digest();
  const share = (world: World, post: PostRow, allows = true) =>
    world.as("owner", (me) => me`select public.create_preview_link(${post.id}, ${token}, 7, ${allows})`);
  const comment = async (
    { tx, acme }: World,
    values: { name?: string; text?: string; block?: string | null; hash?: Buffer } = {},
  ): Promise<string> => {
    const { name = " Vera  Visitor ", text = "Lovely", block = "first" } = values;
    const [row] = await tx.savepoint(
      (own) => own<{ thread: string }[]>`select c.thread from public.workspaces w,
        private.create_preview_comment(w.subdomain::text, ${values.hash ?? hash}, ${name}, ${text}, ${block}, 'here', 1000, 60) as c where w.id = ${acme}`,
    );
    return row!.thread;
  };
  const visitorThreads = async ({ tx }: World): Promise<unknown> =>
    (await tx`select private.preview_link_threads(${hash}) as threads`)[0]!.threads;

  test("can comment under a name if allowed, sees saved content, and reads answers to visitors", async ({ world }) => {
    const post = await draft(world);
    await share(world, post);
    await begin(world, "owner", post.id, "Among ourselves");
    const id = await comment(world);
    await comment(world, { block: "gone" });
    const [, begun, whole] = await threads(world, "owner", post.id);
    expect(begun).toMatchObject({ id, block_id: "first", quote: "It is dark & quiet." });
    expect(begun!.comments).toMatchObject([{ user_id: null, name: "Vera Visitor", text: "Lovely", avatar_url: null }]);
    expect(whole).toMatchObject({ block_id: null, quote: "" });
    await reply(world, "editor", post.id, id, "Thanks");
    await settle(world, "editor", post.id, whole!.id, true);
    expect(await visitorThreads(world)).toMatchObject([
      {
        block_id: "first",
        comments: [
          { name: "Vera Visitor", visitor: true, text: "Lovely" },
          { name: "editor", visitor: false, text: "Thanks" },
        ],
      },
    ]);
    expect(await outcome(remove(world, "editor", post.id, id, begun!.comments[0]!.id))).toBe("forbidden");
    expect(await outcome(remove(world, "admin", post.id, id, begun!.comments[0]!.id))).toBe("allowed");
  });

  test("can comment only within the rate limit", async ({ world }) => {
    const post = await draft(world);
    await share(world, post);
    const once = () =>
      world.tx`select c.wait, c.thread from public.workspaces w,
        private.create_preview_comment(w.subdomain::text, ${hash}, 'Vera', 'Lovely', null, 'there', 1, 60) as c where w.id = ${world.acme}`;
    expect(await once()).toMatchObject([{ wait: 0, thread: expect.any(String) }]);
    expect(await once()).toMatchObject([{ wait: expect.any(Number), thread: null }]);
    expect((await visitorThreads(world)) as unknown[]).toHaveLength(1);
  });

  test("finds nothing by a link that doesn't allow it, expired or never existed", async ({ world }) => {
    const post = await draft(world);
    await share(world, post, false);
    expect(await outcome(comment(world))).toBe("not_found");
    expect(await outcome(comment(world, { hash: createHash("sha256").update("another").digest() }))).toBe("not_found");
    await world.tx`update private.post_previews set allows_comments = true, created_at = now() - interval '2 days', expires_at = now() - interval '1 second'`;
    expect(await outcome(comment(world))).toBe("not_found");
    expect(await visitorThreads(world)).toEqual([]);
  });

  test("needs a name and a text, and is limited in number", async ({ world }) => {
    const post = await draft(world);
    await share(world, post);
    expect((await refused(comment(world, { name: " " }))).detail).toEqual({ name: "Please enter your name" });
    expect((await refused(comment(world, { name: "x".repeat(121) }))).detail).toEqual({ name: "Please use at most 120 characters" });
    expect((await refused(comment(world, { text: "x".repeat(5_001) }))).detail).toEqual({
      text: "A comment can have at most 5,000 characters",
    });
    for (let n = 0; n < 100; n += 1) await comment(world);
    expect((await refused(comment(world))).code).toBe("validation_failed");
    expect(await outcome(begin(world, "editor", post.id))).toBe("allowed");
  });
});

describe("at the same time", () => {
  test("an answer and the deletion of the thread's last comment leave no empty thread and lose no answer", async () => {
    await withWorkspace(sql, 0, async ({ workspace, owner }) => {
      for (let round = 0; round < 10; round += 1) {
        const [thread] = await committedAs(
          sql,
          owner,
          (me) => me`select t ->> 'id' as id, t #>> '{comments,0,id}' as comment, p.id as post
            from public.create_post(${workspace}, 'Post', '{"blocks": []}', status => 'draft') p, public.add_comment(p.id, 'Is this so?') t`,
        );
        const { id, comment, post } = thread as unknown as { id: string; comment: string; post: string };
        const ends = await Promise.all([
          outcome(committedAs(sql, owner, (me) => me`select public.add_comment(${post}, 'It is.', ${id})`)),
          outcome(committedAs(sql, owner, (me) => me`select public.remove_comment(${post}, ${id}, ${comment})`)),
        ]);
        const left = await sql`select (select count(*)::int from private.comments c where c.thread_id = t.id) as comments
          from private.comment_threads t where t.post_id = ${post}`;
        expect(ends[1]).toBe("allowed");
        expect(left).toEqual(ends[0] === "allowed" ? [{ comments: 1 }] : []);
      }
    });
  });

  test("one of twenty new threads takes the last place", async () => {
    await withWorkspace(sql, 0, async ({ workspace, owner }) => {
      const [made] = await committedAs(
        sql,
        owner,
        (me) => me`select id from public.create_post(${workspace}, 'Post', '{"blocks": []}', status => 'draft')`,
      );
      const post = made!.id as string;
      await sql`insert into private.comment_threads (workspace_id, post_id, quote) select ${workspace}, ${post}, '' from generate_series(1, 499)`;
      const ends = await Promise.all(
        Array.from({ length: 20 }, () => outcome(committedAs(sql, owner, (me) => me`select public.add_comment(${post}, 'Mine')`))),
      );
      expect(ends.filter((end) => end === "allowed")).toHaveLength(1);
    });
  });

  test("a repeated request creates one comment", async () => {
    await rolledBack(sql, async (tx) => {
      const world = await makeWorld(tx);
      const post = await draft(world);
      const once = () => ask<Thread>(world, "editor", "public.add_comment($1, 'Once', idempotency_key => 'k')", [post.id]);
      const first = await once();
      expect((await once()).id).toBe(first.id);
      const answer = () => ask<Thread>(world, "editor", "public.add_comment($1, 'Once', $2, idempotency_key => 'a')", [post.id, first.id]);
      await answer();
      expect((await answer()).comments).toHaveLength(2);
    });
  });
});
