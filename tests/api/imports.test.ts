import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { z } from "zod";
import { importEndpoints, type importedPost } from "#contract/imports.ts";
import { postEndpoints } from "#contract/posts.ts";
import { type Fate, type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { as, Client } from "./support/client.ts";
import { notPictures, pictures, pngOf, talkative } from "./support/images.ts";
import { newTeam, paragraph, sql, type Team } from "./support/people.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
let team: Team;
let place: string;
let elsewhere: Receiver;

beforeAll(async () => {
  elsewhere = await startReceiver(({ path: asked }): Fate => fates[asked.split("?")[0]!] ?? { status: 404 });
  team = await newTeam();
  place = `/api/workspaces/${team.workspaceId}/imports`;
});
afterAll(() => elsewhere?.stop());

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
const postsOf = (names: string[]) =>
  sql<{ id: string; external_id: string; status: string; version: number; published_at: Date | null }[]>`
    select id, external_id, status, version, published_at from public.posts
    where workspace_id = ${team.workspaceId} and external_id = any (${names}) order by external_id`;

describe("an import", () => {
  test("starts once per key, and can be read and listed", async () => {
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

  test("writes posts with their dates, tags, authors and slugs", async () => {
    const { id } = await begin(3);
    const name = randomUUID();
    const answer = await write(id, [
      entry(`${name}-a`, {
        tags: ["Fixed things"],
        author: "Grace Hopper",
        slug: `slug-${name}`,
        summary: "In short.",
        old_urls: [`https://old.example/${name}`],
        requests: ["https://linear.app/acme/issue/ENG-12"],
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
    expect(body.post).toMatchObject({ requests: ["https://linear.app/acme/issue/ENG-12"] });
    expect((await read(id)).entries).toHaveLength(3);
  });

  test("sanitizes posts", async () => {
    const { id } = await begin();
    const name = randomUUID();
    const text = 'Hi <script>alert(1)</script><a href="javascript:alert(1)">there</a> <b onclick="x()">bold</b>';
    await write(id, [entry(name, { blocks: paragraph(text) })]);
    const [post] = await postsOf([name]);
    const { body } = await team.owner.api.get<{ post: { content_raw: string } }>(`/api/posts/${post!.id}`);
    expect(body.post.content_raw).not.toMatch(/script|onclick|javascript/);
    expect(body.post.content_raw).toContain("<b>bold</b>");
  });
});

describe("an image of another site", () => {
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

  test("is fetched once, stored in the workspace's folder without its location, and reused", async () => {
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
    expect((await keep(url, next)).problem).toBeNull();
    expect(elsewhere.at(new URL(url).pathname)).toHaveLength(2);
  });

  test.each<[string, () => string, string | RegExp]>([
    [
      "that is a page",
      () => serve(notPictures["a page called .png"]),
      "There's no image at this URL. PNG, JPEG, GIF and WebP are supported",
    ],
    ["that is a program", () => serve(notPictures["a program"]), "There's no image at this URL. PNG, JPEG, GIF and WebP are supported"],
    ["that is an SVG", () => serve(notPictures["an SVG"]), "SVG images aren't supported, because they can contain scripts"],
    ["that says it is an SVG", () => serve(pictures.png, { "content-type": "image/svg+xml" }), /^SVG images/],
    ["of 6 MB", () => serve(pngOf(6_000_000)), "The image is larger than 5MB"],
    ["of 6 MB without a length", () => serve(pngOf(6_000_000), { "transfer-encoding": "chunked" }), "The image is larger than 5MB"],
    ["that is not there", () => `${elsewhere.url}/${randomUUID()}.png`, /^127\.0\.0\.1:\d+ responded with 404$/],
    ["at an unreachable host", () => "http://127.0.0.1:9/x.png", /refused/i],
  ])("%s is rejected with a reason", async (_, url, problem) => {
    expect(await keep(url(), id)).toEqual({ url: null, problem: expect.stringMatching(problem) });
  });

  test("in our own storage is copied without a request, also from another workspace, and only if it's an image", async () => {
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
    "can't be at %j",
    async (url) => {
      const answer = await team.owner.api.post(`${place}/${id}/images`, { url });
      expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ["url"]]);
    },
  );
});

describe("an image pasted into a post", () => {
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

  test("returns why it couldn't be copied", async () => {
    const answer = await copy(`${elsewhere.url}/${randomUUID()}.png`);
    expect([answer.status, answer.body]).toEqual([200, { url: null, problem: expect.stringMatching(/responded with 404$/) }]);
  });
});

describe("for private networks,", () => {
  let strict: SecondFunction;
  let owner: Client;
  let id: string;
  beforeAll(async () => {
    strict = await startFunction(stack, "api", { TIDINGS_RATE_LIMIT_SCALE: "1000" });
    owner = new Client(strict.url, team.owner.token);
    ({ id } = await begin());
  }, 30_000);
  afterAll(() => strict?.stop());

  test.each([
    ["https://10.0.0.1/x.png", "This URL points to a private network or to this machine"],
    ["https://127.0.0.1:5432/x.png", "Only ports 443 and 8443 are allowed"],
    ["http://127.0.0.1:9/x.png", "Only URLs that start with https:// are allowed"],
  ])("images and feeds at %s aren't fetched", async (url, sentence) => {
    const picture = await owner.post(`${place}/${id}/images`, { url });
    expect([picture.status, picture.body]).toEqual([200, { url: null, problem: sentence }]);
    const pasted = await owner.post(`/api/workspaces/${team.workspaceId}/editor/image-copy`, { url });
    expect(pasted.body).toEqual({ url: null, problem: sentence });
    const feed = await owner.post(`${place}/source`, { source: "feed", address: url });
    expect([feed.status, feed.body.fields]).toEqual([422, { address: sentence }]);
  });
});

describe("another product's API", () => {
  let asking: SecondFunction;
  let owner: Client;
  beforeAll(async () => {
    const hosts = Object.fromEntries(["github", "beamer", "announcekit", "canny", "launchnotes"].map((name) => [name, elsewhere.url]));
    const env = { TIDINGS_RATE_LIMIT_SCALE: "1000", TIDINGS_IMPORTS_TO_PRIVATE: "1", TIDINGS_IMPORT_HOSTS: JSON.stringify(hosts) };
    asking = await startFunction(stack, "api", env);
    owner = new Client(asking.url, team.owner.token);
  }, 30_000);
  afterAll(() => asking?.stop());

  const ask = (body: object) => owner.post(`${place}/source`, body);
  const key = "ghp_aVerySecretKeyOfSomebody";

  test("is read in pages with the key, which isn't stored", async () => {
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
});
