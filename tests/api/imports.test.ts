import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { z } from "zod";
import { importBatchSize, importEndpoints, type importedPost } from "#contract/imports.ts";
import { importMaxEntries } from "#contract/limits.ts";
import { postEndpoints } from "#contract/posts.ts";
import { type Fate, type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { as, Client } from "./support/client.ts";
import { notPictures, pictures, pngOf, talkative } from "./support/images.ts";
import { newPerson, newTeam, paragraph, type Person, signToken, sql, type Team } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let team: Team;
let stranger: Person;
let place: string;
let elsewhere: Receiver;

beforeAll(async () => {
  elsewhere = await startReceiver(({ path: asked }): Fate => fates[asked.split("?")[0]!] ?? { status: 404 });
  team = await newTeam();
  stranger = await newPerson("Sam Stranger");
  place = `/api/workspaces/${team.workspaceId}/imports`;
});
afterAll(() => elsewhere?.stop());

/** What another site has, by path. */
const fates: Record<string, Fate> = {};

type Entry = z.input<typeof importedPost>;
const fingerprintOf = (text: string) => createHash("sha256").update(text).digest("hex");
const entry = (name: string, fields: Partial<Entry> = {}): Entry => ({
  external_id: name,
  fingerprint: fingerprintOf(name),
  title: `Post ${name}`,
  blocks: paragraph(`Words of ${name}.`),
  status: "published",
  published_at: "2020-03-04T05:06:07Z",
  ...fields,
});
const begin = async (total = 1, { workspace = place, who = team.owner } = {}) =>
  as(importEndpoints.begin, await who.api.post(workspace, { source: "changelog", name: "CHANGELOG.md", total })).import;
const write = async (id: string, entries: Entry[], who = team.owner) =>
  as(importEndpoints.write, await who.api.put(`${place}/${id}/entries`, { entries }));
const read = async (id: string) => as(importEndpoints.read, await team.owner.api.get(`${place}/${id}`));
const undo = async (id: string) => as(importEndpoints.undo, await team.owner.api.delete(`${place}/${id}`));
const compare = async (entries: { external_id: string; fingerprint: string }[]) =>
  as(importEndpoints.compare, await team.admin.api.post(`${place}/compare`, { entries })).entries;
const postsOf = (names: string[]) =>
  sql<{ id: string; external_id: string; status: string; version: number; published_at: Date | null }[]>`
    select id, external_id, status, version, published_at from public.posts
    where workspace_id = ${team.workspaceId} and external_id = any (${names}) order by external_id`;

describe("an import", () => {
  test("is begun once by one key, read and listed", async () => {
    const body = { source: "github", name: "acme/app", total: 2 };
    const headers = { "idempotency-key": randomUUID() };
    const [first, again] = await Promise.all([1, 2].map(() => team.admin.api.post(place, body, { headers })));
    const made = as(importEndpoints.begin, first!).import;
    expect(as(importEndpoints.begin, again!).import).toEqual(made);
    expect(made).toMatchObject({ source: "github", name: "acme/app", total: 2, made: 0, failed: 0, finished_at: null, undone_at: null });
    expect(made.created_by_name).toBe("Adam Admin");
    expect(await read(made.id)).toEqual({ import: made, entries: [] });
    const { imports } = as(importEndpoints.list, await team.owner.api.get(place));
    expect(imports.filter(({ id }) => id === made.id)).toEqual([made]);
  });

  test.each<[object, string]>([
    [{ source: "beams", name: "x", total: 1 }, "source"],
    [{ source: "github", name: "x".repeat(201), total: 1 }, "name"],
    [{ source: "github", name: "x", total: 0 }, "total"],
    [{ source: "github", name: "x", total: importMaxEntries + 1 }, "total"],
    [{ source: "github", name: "x", total: 1.5 }, "total"],
    [{}, "source"],
  ])("is not begun with %j", async (body, field) => {
    const answer = await team.owner.api.post(place, body);
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
    expect(answer.body.fields).toHaveProperty(field);
  });

  test("writes posts with their dates, tags, authors and addresses", async () => {
    const { id } = await begin(3);
    const name = randomUUID();
    const answer = await write(id, [
      entry(`${name}-a`, {
        tags: ["Fixed things"],
        author: "Grace Hopper",
        slug: `slug-${name}`,
        summary: "In short.",
        old_urls: [`https://old.example/${name}`],
      }),
      entry(`${name}-b`, { status: "draft", published_at: null }),
      entry(`${name}-c`, { status: "archived" }),
    ]);
    expect(answer.entries.map(({ external_id: one, outcome, problem }) => [one.slice(-1), outcome, problem])).toEqual([
      ["a", "made", null],
      ["b", "made", null],
      ["c", "made", null],
    ]);
    expect(answer.import).toMatchObject({ made: 3, failed: 0, finished_at: expect.any(String) });
    const posts = await postsOf(["a", "b", "c"].map((letter) => `${name}-${letter}`));
    expect(posts.map(({ status }) => status)).toEqual(["published", "draft", "archived"]);
    expect(posts[0]!.published_at).toEqual(new Date("2020-03-04T05:06:07Z"));
    const { body } = await team.owner.api.get<{ post: { slug: string; author_name: string; summary: string; tags: string[] } }>(
      `/api/posts/${posts[0]!.id}`,
    );
    expect(body.post).toMatchObject({ slug: `slug-${name}`, author_name: "Grace Hopper", summary: "In short.", tags: ["fixed-things"] });
    expect((await read(id)).entries).toHaveLength(3);
  });

  test("cleans what it writes", async () => {
    const { id } = await begin();
    const name = randomUUID();
    const text = 'Hi <script>alert(1)</script><a href="javascript:alert(1)">there</a> <b onclick="x()">bold</b>';
    await write(id, [entry(name, { blocks: paragraph(text) })]);
    const [post] = await postsOf([name]);
    const { body } = await team.owner.api.get<{ post: { content_raw: string } }>(`/api/posts/${post!.id}`);
    expect(body.post.content_raw).not.toMatch(/script|onclick|javascript/);
    expect(body.post.content_raw).toContain("<b>bold</b>");
  });

  test("fails the posts that cannot be, each with its sentence, and writes the others", async () => {
    const { id } = await begin(10);
    const name = randomUUID();
    const picture = (url: string) => ({ blocks: [{ type: "image", data: { file: { url }, caption: "" } }] });
    const kept = (workspaceId: string) => `/storage/v1/object/public/post-images/${workspaceId}/${randomUUID()}.png`;
    const ours = kept(team.workspaceId);
    const answer = await write(id, [
      entry(`${name}-long`, { blocks: paragraph("x".repeat(50_001)) }),
      entry(`${name}-empty`, { blocks: { blocks: [] } }),
      entry(`${name}-soon`, {
        blocks: { blocks: [] },
        status: "scheduled",
        published_at: null,
        publish_at: new Date(Date.now() + 86_400_000).toISOString(),
      }),
      entry(`${name}-foreign`, { blocks: picture("https://elsewhere.example/a.png") }),
      entry(`${name}-cover`, { cover_image: { url: "https://elsewhere.example/a.png", alt: "" } }),
      entry(`${name}-theirs`, { blocks: picture(kept(randomUUID())) }),
      entry(`${name}-future`, { published_at: new Date(Date.now() + 86_400_000).toISOString() }),
      entry(`${name}-ours`, { blocks: picture(ours), cover_image: { url: ours, alt: "" } }),
      entry(`${name}-good`),
      entry(`${name}-known`, { blocks: [], problem: "It was too large to be sent" }),
    ]);
    const foreign = "This post shows a picture of another site";
    expect(answer.entries.map(({ external_id: one, outcome, problem }) => [one.slice(name.length + 1), outcome, problem])).toEqual([
      ["long", "failed", "A block can have at most 50,000 characters"],
      ["empty", "failed", "Content is required"],
      ["soon", "failed", "Content is required"],
      ["foreign", "failed", foreign],
      ["cover", "failed", foreign],
      ["theirs", "failed", foreign],
      ["future", "failed", expect.any(String)],
      ["ours", "made", null],
      ["good", "made", null],
      ["known", "failed", "It was too large to be sent"],
    ]);
    expect(await postsOf([`${name}-known`])).toEqual([]);
    expect(answer.import).toMatchObject({ made: 2, failed: 8, finished_at: expect.any(String) });
    expect((await read(id)).entries.filter(({ outcome }) => outcome === "failed")).toHaveLength(8);
  });

  test("writes drafts and archived posts that say nothing; of one that readers have nobody takes the words", async () => {
    const { id } = await begin(4);
    const name = randomUUID();
    const empty = { blocks: { blocks: [] } };
    const { entries } = await write(id, [
      entry(`${name}-a`, { ...empty, status: "draft", published_at: null }),
      entry(`${name}-b`, { ...empty, status: "archived", published_at: null }),
      entry(`${name}-c`, { ...empty, status: "archived" }),
      entry(`${name}-d`),
    ]);
    expect(entries.map(({ outcome, problem }) => [outcome, problem])).toEqual(Array(4).fill(["made", null]));
    const posts = await postsOf(["a", "b", "c", "d"].map((letter) => `${name}-${letter}`));
    expect(posts.map(({ status }) => status)).toEqual(["draft", "archived", "archived", "published"]);
    const replaces = posts[3]!.version;
    const again = await write((await begin()).id, [entry(`${name}-d`, { ...empty, status: "draft", published_at: null, replaces })]);
    expect(again.entries).toMatchObject([{ outcome: "failed", problem: "Content is required" }]);
  });

  test.each<[string, unknown, string]>([
    ["no entries", [], "entries"],
    ["too many", Array.from({ length: importBatchSize + 1 }, (_, number) => entry(`e${number}`)), "entries"],
    ["an address that is none", [entry("a"), entry("b", { old_urls: ["javascript:alert(1)"] })], "entries.1.old_urls.0"],
    ["no fingerprint", [{ ...entry("a"), fingerprint: "x" }], "entries.0.fingerprint"],
    ["a status that is none", [{ ...entry("a"), status: "deleted" }], "entries.0.status"],
    ["no list", "x", "entries"],
    ["no content", [{ ...entry("a"), blocks: "x" }], "entries.0.blocks"],
    ["a problem that is none", [entry("a", { problem: " " })], "entries.0.problem"],
  ])("refuses %s at its place, and writes nothing", async (_, entries, field) => {
    const { id } = await begin();
    const answer = await team.owner.api.put(`${place}/${id}/entries`, { entries });
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]]);
    expect((await read(id)).entries).toEqual([]);
  });

  test("that is sent twice, even at once, is there once", async () => {
    const { id } = await begin(20);
    const name = randomUUID();
    const entries = Array.from({ length: 20 }, (_, number) => entry(`${name}-${String(number).padStart(2, "0")}`));
    const answers = await Promise.all([write(id, entries), write(id, entries, team.admin), write(id, entries)]);
    const outcomes = answers.flatMap((answer) => answer.entries.map(({ outcome }) => outcome));
    expect(outcomes.filter((one) => one === "made")).toHaveLength(20);
    expect(outcomes.filter((one) => one === "there")).toHaveLength(40);
    expect(await postsOf(entries.map(({ external_id: one }) => one))).toHaveLength(20);
    expect((await read(id)).import).toMatchObject({ made: 20, failed: 0, finished_at: expect.any(String) });
  });

  test("of 500 posts that stops at 300 is resumed: 500, none twice", async () => {
    const { id } = await begin(500);
    const name = randomUUID();
    const entries = Array.from({ length: 500 }, (_, number) => entry(`${name}-${number}`));
    const batches = Array.from({ length: 20 }, (_, number) => entries.slice(number * 25, number * 25 + 25));
    for (const batch of batches.slice(0, 12)) await write(id, batch);
    const before = await read(id);
    expect(before.import).toMatchObject({ made: 300, finished_at: null });
    const written = new Set(before.entries.map(({ external_id: one }) => one));
    expect(written.size).toBe(300);
    // Who resumes does not know whether the last batch arrived: it is sent again.
    const again = await write(id, batches[11]!);
    expect(again.entries.every(({ outcome }) => outcome === "there")).toBe(true);
    for (const batch of batches.slice(12)) await write(id, batch);
    expect((await read(id)).import).toMatchObject({ made: 500, finished_at: expect.any(String) });
    const [{ count }] = (await sql`select count(*)::int from public.posts
      where workspace_id = ${team.workspaceId} and external_id like ${`${name}-%`}`) as unknown as [{ count: number }];
    expect(count).toBe(500);
  });

  test("is taken back but for what was edited since, as often as one asks; then it takes no more", async () => {
    const { id } = await begin(3);
    const names = ["a", "b", "c"].map((letter) => `${letter}-${randomUUID()}`).sort();
    await write(
      id,
      names.map((name) => entry(name, { status: "draft", published_at: null })),
    );
    const [, edited] = await postsOf(names);
    await team.editor.api.put(`/api/posts/${edited!.id}`, { title: "Mine now", version: edited!.version });
    const taken = await undo(id);
    expect(taken).toMatchObject({ unfinished: false, import: { undone_at: expect.any(String), left: 1 } });
    expect((await postsOf(names)).map(({ external_id: one }) => one)).toEqual([names[1]]);
    expect(await undo(id)).toEqual(taken);
    const late = await team.owner.api.put(`${place}/${id}/entries`, { entries: [entry("late")] });
    expect([late.status, late.body.code]).toEqual([409, "import_over"]);
    const picture = await team.owner.api.post(`${place}/${id}/images`, { url: `${elsewhere.url}/x.png` });
    expect([picture.status, picture.body.code]).toEqual([409, "import_over"]);
  });

  test("run again knows what is new, the same, changed there or here, and gone", async () => {
    const { id } = await begin(4);
    const [same, there, here, gone, fresh] = Array.from({ length: 5 }, () => randomUUID()) as [string, string, string, string, string];
    const entries = [same, there, here, gone].map((name) => entry(name, { status: "draft", published_at: null }));
    const made = (await write(id, entries)).entries;
    const idOf = (name: string) => made.find(({ external_id: one }) => one === name)!.post_id!;
    await team.owner.api.put(`/api/posts/${idOf(here)}`, { title: "Changed here" });
    await team.owner.api.delete(`/api/posts/${idOf(gone)}?purge=true`);
    const states = await compare(
      [same, there, here, gone, fresh].map((name) => ({ external_id: name, fingerprint: fingerprintOf(name === there ? "new" : name) })),
    );
    expect(states.map(({ state }) => state)).toEqual(["same", "there", "here", "gone", "new"]);
    expect(states[1]).toMatchObject({ post_id: idOf(there), version: expect.any(Number), title: `Post ${there}` });
    const next = await begin(1);
    const replaced = await write(next.id, [
      entry(there, {
        title: "New there",
        fingerprint: fingerprintOf("new"),
        status: "draft",
        published_at: null,
        replaces: states[1]!.version!,
      }),
    ]);
    expect(replaced.entries).toMatchObject([{ outcome: "replaced", post_id: idOf(there) }]);
    const stale = await write((await begin(1)).id, [entry(there, { title: "Too late", status: "draft", replaces: states[1]!.version! })]);
    expect(stale.entries).toMatchObject([{ outcome: "failed", problem: expect.stringMatching(/changed here/) }]);
  });
});

describe("who may import", () => {
  const ended = () => new Client(stack.url, signToken({ sub: team.owner.id, session_id: randomUUID() }));
  const calls = (id: string): [keyof typeof importEndpoints, (client: Client) => Promise<{ status: number }>][] => [
    ["list", (client) => client.get(place)],
    ["begin", (client) => client.post(place, { source: "changelog", name: "x", total: 1 })],
    ["read", (client) => client.get(`${place}/${id}`)],
    ["write", (client) => client.put(`${place}/${id}/entries`, { entries: [entry(randomUUID())] })],
    ["undo", (client) => client.delete(`${place}/${id}`)],
    ["compare", (client) => client.post(`${place}/compare`, { entries: [{ external_id: "x", fingerprint: fingerprintOf("x") }] })],
    ["image", (client) => client.post(`${place}/${id}/images`, { url: `${elsewhere.url}/nobody.png` })],
    ["source", (client) => client.post(`${place}/source`, { source: "feed", address: `${elsewhere.url}/nobody.xml` })],
  ];

  test("nobody without a session, nor with one that has ended, no editor, no viewer, nobody of another workspace; nobody is asked for them", async () => {
    const { id } = await begin();
    expect(calls(id).map(([name]) => name)).toEqual(Object.keys(importEndpoints));
    for (const [name, call] of calls(id)) {
      const statuses = [];
      for (const client of [new Client(stack.url), ended(), team.editor.api, team.viewer.api, stranger.api])
        statuses.push((await call(client)).status);
      expect([name, statuses]).toEqual([name, [401, 401, 403, 403, 404]]);
    }
    expect([...elsewhere.at("/nobody.png"), ...elsewhere.at("/nobody.xml")]).toEqual([]);
  });

  test("nobody reaches an import by way of another workspace of theirs", async () => {
    const { id } = await begin();
    const other = await newTeam();
    const wrong = `/api/workspaces/${other.workspaceId}/imports/${id}`;
    const { api } = other.owner;
    const answers = [
      await api.get(wrong),
      await api.put(`${wrong}/entries`, { entries: [entry(randomUUID())] }),
      await api.delete(wrong),
      await api.post(`${wrong}/images`, { url: `${elsewhere.url}/nobody.png` }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(elsewhere.at("/nobody.png")).toEqual([]);
    expect((await read(id)).import.undone_at).toBeNull();
  });
});

describe("a picture of another site", () => {
  const keep = async (url: string, id: string, who = team.owner) =>
    as(importEndpoints.image, await who.api.post(`${place}/${id}/images`, { url }));
  const serve = (bytes: Uint8Array, headers: Record<string, string> = {}) => {
    const at = `/${randomUUID()}.png`;
    fates[at] = { status: 200, headers, body: Buffer.from(bytes) };
    return elsewhere.url + at;
  };
  let id: string;
  beforeAll(async () => {
    ({ id } = await begin());
  });

  test("is fetched once, kept in the workspace's folder without what it says of its place, and answered again", async () => {
    const url = serve(talkative.jpeg, { "content-type": "text/plain" });
    const kept = await keep(url, id);
    expect(kept).toEqual({ url: expect.stringContaining(`/post-images/${team.workspaceId}/`), width: 1, height: 2, problem: null });
    expect(await keep(url, id, team.admin)).toEqual(kept);
    expect(elsewhere.at(new URL(url).pathname)).toHaveLength(1);
    const file = await fetch(stack.url + kept.url);
    expect(file.headers.get("content-type")).toBe("image/jpeg");
    expect(Buffer.from(await file.arrayBuffer()).includes("SECRET")).toBe(false);
    expect(elsewhere.at(new URL(url).pathname)[0]!.headers).toMatchObject({ "user-agent": "Tidings-Import/1" });
    const { id: next } = await begin();
    expect((await keep(url, next)).problem).toBeNull(); // of another import: anew
    expect(elsewhere.at(new URL(url).pathname)).toHaveLength(2);
  });

  test("that several ask for at once is the same for all", async () => {
    const url = serve(pictures.png);
    const kept = await Promise.all([keep(url, id), keep(url, id, team.admin), keep(url, id)]);
    expect(new Set(kept.map((one) => one.url)).size).toBe(1);
    expect(kept[0]!.problem).toBeNull();
    expect((await fetch(stack.url + kept[0]!.url)).status).toBe(200);
  });

  test.each<[string, () => string, string | RegExp]>([
    [
      "that is a page",
      () => serve(notPictures["a page called .png"]),
      "There is no picture at this address: PNG, JPEG, GIF and WebP can be kept",
    ],
    [
      "that is a program",
      () => serve(notPictures["a program"]),
      "There is no picture at this address: PNG, JPEG, GIF and WebP can be kept",
    ],
    ["that is an SVG", () => serve(notPictures["an SVG"]), "SVG pictures cannot be kept, because they may hold programs"],
    ["that says it is an SVG", () => serve(pictures.png, { "content-type": "image/svg+xml" }), /^SVG pictures/],
    ["of 6 MB", () => serve(pngOf(6_000_000)), "The picture is larger than 5MB"],
    ["of 6 MB that does not say so", () => serve(pngOf(6_000_000), { "transfer-encoding": "chunked" }), "The picture is larger than 5MB"],
    ["that is not there", () => `${elsewhere.url}/${randomUUID()}.png`, /^127\.0\.0\.1:\d+ answered 404$/],
    ["of nobody", () => "http://127.0.0.1:9/x.png", /refused/i],
  ])("%s is not kept, for a reason", async (_, url, problem) => {
    expect(await keep(url(), id)).toEqual({ url: null, problem: expect.stringMatching(problem) });
  });

  test("that could not be had may be had the next time", async () => {
    const at = `/${randomUUID()}.png`;
    expect((await keep(elsewhere.url + at, id)).problem).toMatch(/404/);
    fates[at] = { status: 200, body: Buffer.from(pictures.gif) };
    expect(await keep(elsewhere.url + at, id)).toMatchObject({ width: 1, problem: null });
  });

  test("is found behind a redirect", async () => {
    const target = serve(pictures.webp);
    const at = `/${randomUUID()}`;
    fates[at] = { status: 302, headers: { location: target } };
    expect((await keep(elsewhere.url + at, id)).problem).toBeNull();
  });

  test("that is ours already is copied without going out, also of another workspace, and of nothing else than pictures", async () => {
    const other = await newTeam();
    const upload = await other.owner.api.upload<{ file: { url: string } }>(
      `/api/workspaces/${other.workspaceId}/editor/image-upload`,
      pictures.png,
    );
    const there = upload.body.file.url;
    const kept = await keep(new URL(there, stack.publicUrl).href, id);
    expect(kept).toMatchObject({ width: 1, height: 1, problem: null });
    expect(kept.url).toContain(`/post-images/${team.workspaceId}/`);
    const gone = there.replace(/[0-9a-f]{8}-/, "00000000-");
    expect(await keep(new URL(gone, stack.publicUrl).href, id)).toMatchObject({ url: null, problem: expect.any(String) });
  });

  test.each(["", "x", "/storage/v1/object/public/x.png", "data:image/png;base64,AA==", "file:///etc/passwd"])(
    "%j is no address of one",
    async (url) => {
      const answer = await team.owner.api.post(`${place}/${id}/images`, { url });
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ["url"]]);
    },
  );
});

describe("an image that is pasted into a post", () => {
  const copy = (url: string, who: Team["owner"] = team.editor) =>
    who.api.post(`/api/workspaces/${team.workspaceId}/editor/image-copy`, { url });

  test("is copied into the workspace's folder for an editor, without its metadata", async () => {
    const at = `/${randomUUID()}.jpg`;
    fates[at] = { status: 200, body: Buffer.from(talkative.jpeg) };
    const copied = as(postEndpoints.copyImage, await copy(elsewhere.url + at));
    expect(copied).toEqual({ url: expect.stringContaining(`/post-images/${team.workspaceId}/`), width: 1, height: 2, problem: null });
    const file = await fetch(stack.url + copied.url);
    expect(Buffer.from(await file.arrayBuffer()).includes("SECRET")).toBe(false);
  });

  test("says why it could not be copied", async () => {
    const answer = await copy(`${elsewhere.url}/${randomUUID()}.png`);
    expect([answer.status, answer.body]).toEqual([200, { url: null, problem: expect.stringMatching(/answered 404$/) }]);
  });

  test("is fetched for no viewer and no stranger", async () => {
    const at = `/${randomUUID()}.png`;
    fates[at] = { status: 200, body: Buffer.from(pictures.png) };
    const stranger = (await newTeam()).owner;
    expect((await copy(elsewhere.url + at, team.viewer)).status).toBe(403);
    expect((await copy(elsewhere.url + at, stranger)).status).toBe(404);
    expect(elsewhere.at(at)).toEqual([]);
  });
});

describe("on the internet", () => {
  let strict: SecondFunction;
  let owner: Client;
  let id: string;
  beforeAll(async () => {
    strict = await startFunction(stack, "api", { RATE_LIMIT_SCALE: "1000" });
    owner = new Client(strict.url, team.owner.token);
    ({ id } = await begin());
  }, 30_000);
  afterAll(() => strict?.stop());

  const inside = "This address leads to a private network, or to this machine";
  test.each([
    ["https://127.0.0.1/x.png", inside],
    ["http://127.0.0.1/x.png", inside],
    ["https://10.0.0.1/x.png", inside],
    ["https://192.168.1.1/x.png", inside],
    ["https://169.254.169.254/latest/meta-data/", inside],
    ["https://[::1]/x.png", inside],
    ["https://[::ffff:10.0.0.1]/x.png", inside],
    ["https://2130706433/x.png", inside],
    ["https://localhost/x.png", inside],
    ["https://db.internal/x.png", inside],
    ["https://127.0.0.1:5432/x.png", "Only the ports 443 and 8443 are allowed"],
    ["http://127.0.0.1:9/x.png", "Only addresses that start with https:// are allowed"],
  ])("no picture is fetched from %s, and no feed read", async (url, sentence) => {
    const picture = await owner.post(`${place}/${id}/images`, { url });
    expect([picture.status, picture.body]).toEqual([200, { url: null, problem: sentence }]);
    const pasted = await owner.post(`/api/workspaces/${team.workspaceId}/editor/image-copy`, { url });
    expect(pasted.body).toEqual({ url: null, problem: sentence });
    const feed = await owner.post(`${place}/source`, { source: "feed", address: url });
    expect([feed.status, feed.body.fields]).toEqual([422, { address: sentence }]);
  });
});

describe("another product's server", () => {
  let asking: SecondFunction;
  let owner: Client;
  beforeAll(async () => {
    const hosts = Object.fromEntries(["github", "beamer", "announcekit", "canny", "launchnotes"].map((name) => [name, elsewhere.url]));
    const env = { RATE_LIMIT_SCALE: "1000", IMPORTS_TO_PRIVATE: "1", IMPORT_HOSTS: JSON.stringify(hosts) };
    asking = await startFunction(stack, "api", env);
    owner = new Client(asking.url, team.owner.token);
  }, 30_000);
  afterAll(() => asking?.stop());

  const ask = (body: object) => owner.post(`${place}/source`, body);
  const key = "ghp_aVerySecretKeyOfSomebody";

  test("is asked page by page, with the key, which is kept nowhere", async () => {
    const [release] = [{ id: 1, tag_name: "v1", body: "x" }];
    fates["/repos/acme/paged/releases"] = {
      ...{ status: 200, headers: { link: '<https://api.example/?page=2>; rel="next"' } },
      body: JSON.stringify([release]),
    };
    const answer = await ask({ source: "github", address: "acme/paged", key });
    const piece = as(importEndpoints.source, answer);
    expect(piece).toEqual({
      ...{ name: "releases-page-1.json", text: JSON.stringify([release]), address: "https://github.com/acme/paged", next: "2" },
    });
    const second = as(importEndpoints.source, await ask({ source: "github", address: "acme/paged", key, after: piece.next }));
    expect(second.name).toBe("releases-page-2.json");
    expect(
      elsewhere.received
        .filter(({ path: asked }) => asked.startsWith("/repos/acme/paged"))
        .map(({ path: asked, headers }) => [asked, headers.authorization]),
    ).toEqual([
      ["/repos/acme/paged/releases?per_page=100&page=1", `Bearer ${key}`],
      ["/repos/acme/paged/releases?per_page=100&page=2", `Bearer ${key}`],
    ]);

    await ask({ source: "github", address: "acme/nothing", key });
    const refused = await team.owner.api.post(`${place}/source`, { source: "github", address: "", key });
    const requestId = refused.headers.get("x-request-id")!;
    const file = path.join(stack.dataDir, "logs/api.log");
    await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain(requestId), { timeout: 10_000, interval: 50 });
    expect(await readFile(file, "utf8")).not.toContain(key);
    expect(JSON.stringify(refused.body)).not.toContain(key);
    const [noted] = (await sql`select count(*)::int from private.audit_log a where a::text like ${`%${key}%`}`) as unknown as [
      { count: number },
    ];
    expect(noted.count).toBe(0);
  });

  test.each<[string, object, string, Fate, Record<string, RegExp>]>([
    [
      "a wrong key",
      { source: "github", address: "acme/k", key },
      "/repos/acme/k/releases",
      { status: 401 },
      { key: /^GitHub did not accept this key$/ },
    ],
    [
      "nothing",
      { source: "github", address: "acme/n" },
      "/repos/acme/n/releases",
      { status: 404 },
      { address: / answered 404: there is nothing at this address$/ },
    ],
    [
      "too many requests",
      { source: "github", address: "acme/q" },
      "/repos/acme/q/releases",
      { status: 429, headers: { "x-ratelimit-reset": "4102444800" } },
      { address: /^GitHub takes no more requests for now: please try again after 2100-01-01 00:00 UTC$/ },
    ],
    ["a wrong key of another", { source: "beamer", key }, "/v0/posts", { status: 401 }, { key: /^Beamer did not accept this key$/ }],
    [
      "an answer without an end",
      { source: "changes-page", address: "ELSEWHERE" },
      "/api/json",
      "flood",
      { address: / answered with more than 10 MB$/ },
    ],
    [
      "http where https is asked",
      { source: "feed", address: "sELSEWHERE/feed.xml" },
      "/feed.xml",
      { status: 200 },
      { address: /^127\.0\.0\.1:\d+ does not answer to https\. Please save the page or feed there as a file, and choose that$/ },
    ],
    ["a broken line", { source: "canny", key }, "/api/v1/entries/list", "reset", { key: / could not be reached: / }],
  ])("that answers with %s becomes a sentence at its field", async (_, body, at, fate, fields) => {
    fates[at] = fate;
    const sent = JSON.parse(
      JSON.stringify(body).replace("sELSEWHERE", elsewhere.url.replace("http:", "https:")).replace("ELSEWHERE", elsewhere.url),
    ) as object;
    const answer = await ask(sent);
    expect([answer.status, answer.body.code, Object.keys(answer.body.fields ?? {})]).toEqual([
      422,
      "validation_failed",
      Object.keys(fields),
    ]);
    for (const [field, sentence] of Object.entries(fields)) expect(answer.body.fields?.[field]).toMatch(sentence);
    expect(JSON.stringify(answer.body)).not.toContain(key);
  });

  test("that says nothing is waited for fifteen seconds, and holds up nobody", async () => {
    fates["/hangs"] = "hang";
    const { id } = await begin();
    const waiting = [
      ask({ source: "feed", address: `${elsewhere.url}/hangs` }),
      owner.post(`${place}/${id}/images`, { url: `${elsewhere.url}/hangs` }),
    ] as const;
    const more = Array.from({ length: 3 }, (_, number) => owner.post(`${place}/${id}/images`, { url: `${elsewhere.url}/hangs?${number}` }));
    await expect.poll(() => elsewhere.hanging(), { timeout: 12_000 }).toBe(5);
    expect((await owner.get(place)).status).toBe(200);
    const admin = new Client(asking.url, team.admin.token);
    fates["/here.png"] = { status: 200, body: Buffer.from(pictures.png) };
    fates["/here.xml"] = { status: 200, body: "<rss/>" };
    expect((await admin.post(`${place}/${id}/images`, { url: `${elsewhere.url}/here.png` })).body.problem).toBeNull();
    expect((await admin.post(`${place}/source`, { source: "feed", address: `${elsewhere.url}/here.xml` })).status).toBe(200);
    expect(elsewhere.hanging()).toBe(5);
    const [feed, picture] = await Promise.all(waiting);
    await Promise.all(more);
    expect(feed.body.fields).toEqual({ address: expect.stringMatching(/did not answer in time$/) });
    expect(picture.body).toEqual({ url: null, problem: expect.stringMatching(/did not answer in time$/) });
  });

  test("of anybody is asked for a feed, also behind a page and a redirect", async () => {
    const feed = "<rss><channel><item/></channel></rss>";
    fates["/blog"] = { status: 301, headers: { location: "/blog/" } };
    fates["/blog/"] = { status: 200, body: '<!doctype html><link rel="alternate" type="application/rss+xml" href="../feed.xml">' };
    fates["/feed.xml"] = { status: 200, body: feed };
    const answer = as(importEndpoints.source, await ask({ source: "feed", address: `${elsewhere.url}/blog` }));
    expect(answer).toEqual({ name: "feed-page-1.xml", text: feed, address: `${elsewhere.url}/feed.xml`, next: null });
  });

  test.each<[object, string]>([
    [{ source: "notion" }, "source"],
    [{ source: "feed", address: "x".repeat(3_000) }, "address"],
    [{ source: "beamer", key: "k".repeat(501) }, "key"],
    [{ source: "beamer" }, "key"],
    [{ source: "feed" }, "address"],
    [{ source: "feed", address: "https://x.example", after: "next" }, "after"],
  ])("is not asked with %j", async (body, field) => {
    const answer = await ask(body);
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, [field]]);
  });
});
