import { noDetails } from "#contract/rules/post-details.ts";
import "fake-indexeddb/auto";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Post } from "#contract/posts.ts";
import { emitAnnounced } from "../../web/features/posts/post-events.ts";
import { openWriter, standInForBrowser, type Writer } from "../support/web/writers.ts";
import { newPerson, newTeam, sql, type Person, type Team } from "./support/people.ts";

let team: Team;
const open: Writer[] = [];
beforeAll(async () => {
  standInForBrowser();
  team = await newTeam();
});
afterEach(() => open.splice(0).forEach((writer) => writer.leave()));

const line = (id: string, text: string) => ({ id, type: "paragraph", data: { text } });
const readPost = async (id: string): Promise<Post> => (await team.owner.api.get<{ post: Post }>(`/api/posts/${id}`)).body.post;
const linesOf = ({ content_raw }: Post) =>
  (JSON.parse(content_raw) as { blocks: { id: string; data: { text: string } }[] }).blocks.map(({ id, data }) => [id, data.text]);

async function newPost(blocks: object[], fields: object = {}): Promise<Post> {
  const body = { title: "Together", blocks, workspace_id: team.workspaceId, ...fields };
  const { status, body: answer } = await team.owner.api.post<{ post: Post }>("/api/posts", body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.post;
}

async function newWriters(count: number): Promise<Person[]> {
  const people = await Promise.all(Array.from({ length: count }, (_, number) => newPerson(`Writer ${number}`)));
  for (const { id } of people)
    await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${id}, 'editor')`;
  return people;
}

function openPost(people: readonly Person[], post: Post, announced = true): Writer[] {
  const tell = (saved: Post) => announced && setTimeout(() => emitAnnounced(saved.id, saved.version));
  const writers = people.map(({ id, api }) => openWriter(api, post, id, tell));
  open.push(...writers);
  return writers;
}

const isQuiet = ({ session }: Writer) => {
  const { dirty, behind, busy, conflict } = session.getSnapshot();
  return !dirty && !behind && busy === null && conflict === null;
};

/** Two take ten seconds; TOGETHER_ROUNDS=15 is about a minute. */
const rounds = Number(process.env.TOGETHER_ROUNDS ?? 2);

describe.each([
  ["a draft", {}],
  ["a published post", { status: "published" }],
])("20 people save %s repeatedly, each in their own block", (_, fields) => {
  test("every word is there at the end, and on each screen", { timeout: 60_000 * rounds }, async () => {
    const ids = Array.from({ length: 20 }, (_, number) => `block-${number}`);
    const post = await newPost(
      ids.map((id) => line(id, "Nothing yet")),
      fields,
    );
    const writers = openPost(await newWriters(20), post);
    for (let round = 1; round <= rounds; round++) {
      const done = await Promise.all(
        writers.map((writer, number) => {
          writer.type(ids[number]!, `Writer ${number} in round ${round}`);
          return writer.session.write({ kind: "save" });
        }),
      );
      expect(done.filter((saved) => !saved)).toEqual([]);
    }
    await vi.waitFor(() => expect(writers.filter((writer) => !isQuiet(writer))).toEqual([]), { timeout: 20_000 });
    const last = ids.map((id, number) => [id, `Writer ${number} in round ${rounds}`]);
    const stored = await readPost(post.id);
    expect(linesOf(stored)).toEqual(last);
    expect(stored.version).toBe(1 + 20 * rounds);
    // a client that missed the last save is idle too
    const versions = () => writers.map(({ session }) => session.getSnapshot().post?.version);
    await vi.waitFor(() => expect(versions()).toEqual(writers.map(() => stored.version)), { timeout: 20_000 });
    for (const writer of writers) expect(writer.blocks.map(({ id }) => [id, writer.text(id!)])).toEqual(last);
  });
});

test("of two concurrent merges, the second one merges with the first", async () => {
  const post = await newPost([line("one", "One"), line("two", "Two"), line("three", "Three")]);
  const [ada, bob, cyd] = openPost(await newWriters(3), post, false) as [Writer, Writer, Writer];
  cyd.type("three", "Three by Cyd");
  expect(await cyd.session.write({ kind: "save" })).toBe(true);
  ada.type("one", "One by Ada");
  bob.type("two", "Two by Bob");
  expect(await Promise.all([ada, bob].map(({ session }) => session.write({ kind: "save" })))).toEqual([true, true]);
  const stored = await readPost(post.id);
  expect(linesOf(stored)).toEqual([
    ["one", "One by Ada"],
    ["two", "Two by Bob"],
    ["three", "Three by Cyd"],
  ]);
  expect(stored.version).toBe(4);
});

test("a real conflict is saved only after a decision, on the newest version", async () => {
  const post = await newPost([line("one", "One"), line("two", "Two")], { status: "published" });
  const [ada, bob] = openPost(await newWriters(2), post) as [Writer, Writer];
  ada.type("one", "Ada's");
  bob.type("one", "Bob's");
  ada.type("two", "Two by Ada");
  expect(await ada.session.write({ kind: "save" })).toBe(true);
  await vi.waitFor(() => expect(bob.text("two")).toBe("Two by Ada"), { timeout: 10_000 });
  expect(bob.text("one")).toBe("Bob's");
  expect(bob.session.getSnapshot().openConflicts).toEqual({ blocks: ["one"], count: 1 });
  expect(await bob.session.write({ kind: "save" })).toBe(false);
  expect(bob.session.getSnapshot().conflict).toMatchObject({ merge: { counts: { collisions: 1 } } });
  expect((await readPost(post.id)).version).toBe(2);
  expect(await bob.session.saveMerged({ blocks: { one: "both" } })).toBe(true);
  const stored = await readPost(post.id);
  expect(linesOf(stored).map(([, text]) => text)).toEqual(["Ada's", "Bob's", "Two by Ada"]);
  await vi.waitFor(() => expect(ada.blocks).toHaveLength(3), { timeout: 10_000 });
});

test("a thousand blocks moved, changed, deleted and added by both are merged", async () => {
  const many = Array.from({ length: 1_000 }, (_, number) => line(`b${number}`, `Block ${number} of a thousand`));
  const post = await newPost(many);
  const [ada, bob] = openPost(await newWriters(2), post, false) as [Writer, Writer];
  for (let number = 0; number < 1_000; number += 2) ada.type(`b${number}`, `Ada's ${number}`);
  for (let number = 1; number < 999; number += 2) bob.type(`b${number}`, `Bob's ${number}`);
  bob.blocks.unshift(bob.blocks.pop()!);
  ada.blocks.splice(
    ada.blocks.findIndex(({ id }) => id === "b501"),
    1,
  );
  bob.blocks.find(({ id }) => id === "b501")!.data = { text: "Block 501 of a thousand" };
  expect(await ada.session.write({ kind: "save" })).toBe(true);
  expect(await bob.session.write({ kind: "save" })).toBe(true);
  const stored = new Map(linesOf(await readPost(post.id)) as [string, string][]);
  expect([...stored.keys()].slice(0, 3)).toEqual(["b999", "b0", "b1"]);
  expect(stored.size).toBe(999);
  expect([stored.get("b500"), stored.get("b501"), stored.get("b503")]).toEqual(["Ada's 500", undefined, "Bob's 503"]);
  expect(bob.blocks.map(({ id }) => id)).toEqual([...stored.keys()]);
});

test("a draft of an earlier visit stays unchanged when its base is no longer in the history", async () => {
  const post = await newPost([line("one", "One")]);
  const [ada] = openPost([team.editor], post, false) as [Writer];
  for (const text of ["One.", "One..", "One..."]) {
    ada.type("one", text);
    expect(await ada.session.write({ kind: "autosave" })).toBe(true);
  }
  const newest = await readPost(post.id);
  const [again] = openPost([team.editor], newest, false) as [Writer];
  const { title, tags } = newest;
  const draft = {
    sessionId: "earlier",
    key: "x",
    workspaceId: team.workspaceId,
    title,
    tags,
    summary: "",
    cover_image: null,
    details: noDetails,
    savedAt: 1,
  };
  const content = { time: 0, version: "2.28.2" as const, blocks: [{ id: "one", type: "paragraph" as const, data: { text: "Left" } }] };
  await again.session.restore({ ...draft, content, baseVersion: 2 });
  expect(again.text("one")).toBe("Left");
  expect(again.session.getSnapshot()).toMatchObject({ post: { version: newest.version }, newer: null, dirty: true });
});
