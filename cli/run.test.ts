import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { commandFor } from "../action/release.js";
import { sectionOf } from "./lib/changelog.js";
import { readFrontMatter } from "./lib/front-matter.js";
import { run } from "./lib/run.js";

const key = `tdk_${"a1B2".repeat(8)}`;

interface Call {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

let calls: Call[] = [];
let answers: ((response: ServerResponse) => void)[] = [];
const listed = { id: "1", external_id: "v1", title: "A", slug: "a/../b", status: "draft", updated_at: "2026-11-28T09:00:00Z" };
const posts = new Map<string, object>();

const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const refusal = (status: number, code: string, more: object = {}) => json(status, { error: "This does not go.", code, ...more });
const lost = (response: ServerResponse) => response.destroy();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url: path = "", headers } = request;
  const body = Buffer.concat(chunks).toString("utf8");
  calls.push({ method, path, headers, body });
  const next = answers.shift();
  if (next) return next(response);
  if (path.startsWith("/api/v1/images")) return json(201, { image: { url: "https://here.example/i.png", width: 3, height: 2 } })(response);
  if (method === "GET" && path.startsWith("/api/v1/posts?")) return json(200, { posts: [listed], next_cursor: null })(response);
  if (method === "GET" && headers.accept === "application/json") {
    const post = { id: "1", title: "A", version: 7, status: "draft", url: null };
    return json(200, { post })(response);
  }
  if (method === "GET") return response.writeHead(200, { "content-type": "text/markdown" }).end("# A\n");
  const name = method === "PUT" ? path : String(headers["idempotency-key"]);
  const post = {
    id: "1",
    status: "draft",
    url: "https://acme.example/releases/a",
    ...posts.get(name),
    ...(JSON.parse(body || "{}") as object),
  };
  posts.set(name, post);
  json(200, { post })(response);
});

let folder: string;
let env: Record<string, string>;
let waits: number[];
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => server.close());
beforeEach(async () => {
  calls = [];
  answers = [];
  waits = [];
  posts.clear();
  folder = await mkdtemp(path.join(tmpdir(), "tidings-cli-"));
  env = { HOME: folder, TIDINGS_KEY: key, TIDINGS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  return () => rm(folder, { recursive: true });
});

async function tidings(args: readonly string[], { stdin = "", with: more = {} }: { stdin?: string; with?: Record<string, string> } = {}) {
  let [out, err] = ["", ""];
  const into = (write: (text: string) => void) =>
    new Writable({
      write(chunk, _encoding, done) {
        write(String(chunk));
        done();
      },
    });
  const exitCode = await run([...args], {
    env: { ...env, ...more },
    stdin: Readable.from([stdin]),
    stdout: into((text) => (out += text)),
    stderr: into((text) => (err += text)),
    wait: (ms: number) => Promise.resolve(waits.push(ms)),
  });
  expect(out + err).not.toContain(key);
  return { exitCode, out, err };
}
const write = async (name: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
  return path.join(folder, name);
};
const sent = (): unknown[] => calls.filter(({ method }) => method !== "GET").map(({ body }) => JSON.parse(body));

describe("publish", () => {
  test("sends a file with its front matter, overridden by options", async () => {
    const file = await write(
      "a.md",
      '---\ntitle: "From the file"\ntags: [improvement, "New, old"]\nsummary: It\'s short # really\nexternal_id: a-1\n---\n\nText.\n',
    );
    const { exitCode, out } = await tidings(["publish", file, "--title", "Faster"]);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: "Published: Faster\nhttps://acme.example/releases/a\n" });
    expect(sent()).toEqual([
      { title: "Faster", markdown: "Text.\n", tags: ["improvement", "New, old"], summary: "It's short", status: "published" },
    ]);
    expect(calls[0]).toMatchObject({
      method: "PUT",
      path: "/api/v1/posts/by-external-id/a-1",
      headers: { authorization: `Bearer ${key}` },
    });
  });
  test("links the requests of the front matter", async () => {
    const request = "https://linear.app/acme/issue/ENG-12";
    await tidings(["publish", await write("a.md", `---\ntitle: A\nrequests: [${request}]\n---\n\nText.\n`)]);
    expect(sent()).toEqual([{ title: "A", markdown: "Text.\n", status: "published" }, { add: [request] }]);
    expect(calls[1]!.path).toBe("/api/v1/posts/1/requests");
  });
  test("takes the first heading as the title, and text from stdin", async () => {
    await tidings(["publish", "-", "--tags", "a, b", "--schedule", "2030-01-01T10:00:00+01:00", "--no-notify"], {
      stdin: "# Title #\n\nText.",
    });
    expect(sent()).toEqual([
      { title: "Title", markdown: "Text.", tags: ["a", "b"], notify: false, status: "scheduled", publish_at: "2030-01-01T09:00:00.000Z" },
    ]);
  });
  test("creates a draft from a section of a CHANGELOG.md", async () => {
    const file = await write("CHANGELOG.md", "# Changelog\n\n## [1.2.0] - 2026-11-23\n\n### Added\n\n- a\n\n## 1.1.0\n\n- b\n");
    await tidings(["draft", file, "--section", "v1.2.0", "--external-id", "v1.2.0", "--json"]);
    expect(sent()).toEqual([{ title: "v1.2.0", markdown: "## Added\n\n- a", status: "draft" }]);
    expect(await tidings(["draft", file, "--section", "v9"])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("no section for v9"),
    });
  });
  test("uploads local images once each, and leaves code and other URLs alone", async () => {
    await write("img/a.png", "png");
    const text =
      '# T\n\n![a](img/a.png) [![b](<img/a.png> "B")](https://x.example) ![c](https://x.example/c.png)\n\n```md\n![d](img/a.png)\n```\n';
    const { exitCode } = await tidings(["publish", await write("a.md", text)]);
    expect(exitCode).toBe(0);
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /api/v1/images", "POST /api/v1/posts"]);
    expect(calls[0]!.headers["content-type"]).toBe("image/png");
    const size = '<!-- tidings {"file":{"width":3,"height":2}} -->';
    expect(JSON.parse(calls[1]!.body)).toMatchObject({
      markdown: `![a](https://here.example/i.png)${size} [![b](<https://here.example/i.png> "B")${size}](https://x.example) ![c](https://x.example/c.png)\n\n\`\`\`md\n![d](img/a.png)\n\`\`\`\n`,
    });
    expect(await tidings(["publish", await write("b.md", "# T\n\n![a](../x.png)")])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("only images there"),
    });
    expect(await tidings(["publish", await write("c.md", "# T\n\n![a](no.png)")])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("wasn't found at"),
    });
  });
  test("retries a lost response with the same key, so there's one post", async () => {
    answers = [
      lost,
      refusal(503, "unavailable"),
      refusal(429, "rate_limited") && json(429, { error: "Slow down.", code: "rate_limited" }, { "retry-after": "7" }),
    ];
    const { exitCode } = await tidings(["publish", "-"], { stdin: "# T\n\nText." });
    expect(exitCode).toBe(0);
    expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect([calls.length, posts.size, waits]).toEqual([4, 1, [500, 1_000, 7_000]]);
  });
  test.each([
    [401, "unauthenticated", {}, 3, "The key is invalid"],
    [403, "scope_missing", { scope: "posts:publish" }, 3, "The key needs the scope posts:publish."],
    [422, "validation_failed", { fields: { markdown: "Content is required" } }, 1, "markdown: Content is required"],
    [409, "published_post_locked", {}, 1, "This does not go."],
  ])("reports an error with %i (%s) and exits with %i", async (status, code, more, exitCode, sentence) => {
    answers = [refusal(status, code, more)];
    const answer = await tidings(["publish", "-"], { stdin: "# T\n\nText." });
    expect(answer).toMatchObject({ exitCode, out: "", err: expect.stringContaining(sentence) });
    expect(calls).toHaveLength(1);
  });
  test("reports another server, a redirect and an unreachable host", async () => {
    answers = [(response) => response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>")];
    expect(await tidings(["whoami"])).toMatchObject({ exitCode: 1, err: expect.stringContaining("not as Tidings does") });
    answers = [(response) => response.writeHead(301, { location: "https://evil.example/" }).end()];
    expect(await tidings(["whoami"])).toMatchObject({ exitCode: 2, err: expect.stringContaining("evil.example") });
    expect(await tidings(["whoami"], { with: { TIDINGS_URL: "http://127.0.0.1:1" } })).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining("couldn't reach"),
    });
    answers = Array.from({ length: 5 }, () => refusal(503, "unavailable"));
    expect(await tidings(["whoami"])).toMatchObject({ exitCode: 4 });
  });
});

describe("invalid arguments", () => {
  test.each([
    [["nope"], "There's no command nope"],
    [["toString"], "There's no command toString"],
    [["publish"], "Which file?"],
    [["publish", "a.md", "b.md"], "Which file?"],
    [["publish", "no-such.md"], "There's no file no-such.md"],
    [["publish", "-", "--tag", "a"], "--tag"],
    [["publish", "-"], "has no title"],
    [["publish", "-", "--title", "T", "--schedule", "soon"], "isn't a valid time"],
    [["publish", "-", "--draft", "--title", "T", "--schedule", "2030-01-01"], "A draft has no time"],
    [["draft", "-", "--schedule", "2030-01-01"], "draft has no option --schedule"],
    [["get"], "Which post?"],
    [["archive", "a", "b"], "Too many arguments: b"],
    [["list", "--limit", "no"], "--limit must be"],
    [["completion", "csh"], "Which shell? bash, zsh, fish"],
    [["import", "no-such"], "There's no folder no-such"],
    [["export"], "Missing target"],
    [["export", "--format", "html"], "There's no format html. Use markdown, changelog, feed."],
    [["export", "--format", "toString"], "There's no format toString"],
    [["export", "--format", "feed", "--markdown", "x"], "not both"],
  ])("%j is reported and nothing is sent", async (args, sentence) => {
    expect(await tidings(args, { stdin: "Text." })).toMatchObject({ exitCode: 2, out: "", err: expect.stringContaining(sentence) });
    expect(calls).toEqual([]);
  });
  test("reports a missing key or URL", async () => {
    expect(await tidings(["whoami"], { with: { TIDINGS_KEY: "" } })).toMatchObject({ exitCode: 3 });
    expect(await tidings(["whoami"], { with: { TIDINGS_KEY: "sk_live_1" } })).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("start with tdk_"),
    });
    expect(await tidings(["whoami"], { with: { TIDINGS_URL: "" } })).toMatchObject({ exitCode: 2 });
    expect(await tidings(["whoami"], { with: { TIDINGS_URL: "http://tidings.example" } })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("https://"),
    });
    expect(calls).toEqual([]);
  });
});

describe("posts", () => {
  const requests = () => calls.map(({ method, path }) => `${method} ${path}`);

  test("are listed in columns or as JSON", async () => {
    expect(await tidings(["list", "--status", "draft", "--limit", "5"])).toEqual({
      exitCode: 0,
      out: "v1  draft  2026-11-28  A\n",
      err: "",
    });
    expect(requests()).toEqual(["GET /api/v1/posts?limit=5&status=draft"]);
    expect(JSON.parse((await tidings(["list", "--json"])).out)).toEqual([listed]);
  });
  test("are printed as Markdown, by id or external id", async () => {
    expect(await tidings(["get", "v1/2"])).toMatchObject({ exitCode: 0, out: "# A\n" });
    await tidings(["get", "6f1c6a3e-0000-4000-8000-000000000001"]);
    expect(requests()).toEqual(["GET /api/v1/posts/by-external-id/v1%2F2", "GET /api/v1/posts/6f1c6a3e-0000-4000-8000-000000000001"]);
  });
  test("are edited by options, a file or an editor, unless someone saved meanwhile", async () => {
    await tidings(["edit", "v1", "--summary", "Short"]);
    await tidings(["edit", "v1", "-"], { stdin: "New text." });
    expect(sent()).toEqual([{ summary: "Short" }, { title: "A", markdown: "New text." }]);
    expect(calls[1]).toMatchObject({ method: "PATCH", path: "/api/v1/posts/1", headers: { "if-match": '"v7"' } });

    const editor = await write("editor.sh", 'printf "# B\\n\\nText." > "$1"');
    expect(await tidings(["edit", "v1"], { with: { EDITOR: `sh ${editor}`, TMPDIR: folder } })).toMatchObject({
      exitCode: 0,
      out: "Draft: B\nhttps://acme.example/releases/a\n",
    });
    expect(sent().at(-1)).toEqual({ title: "B", markdown: "Text." });
    expect(await tidings(["edit", "v1"], { with: { EDITOR: "true" } })).toMatchObject({ exitCode: 0, out: "Nothing changed\n" });
    expect(await tidings(["edit", "v1"])).toMatchObject({ exitCode: 2, err: expect.stringContaining("Set EDITOR") });
  });
  test("are archived", async () => {
    await tidings(["archive", "v1"]);
    expect(requests()).toEqual(["GET /api/v1/posts/by-external-id/v1", "POST /api/v1/posts/1/archive"]);
  });
});

test("whats-new lists what changed since a version on all pages, and sends no key", async () => {
  const release = { version: "1.13.0", title: "Faster", breaking: true, security: false, url: "https://acme.example/releases/faster" };
  const changes = { versions: 1, posts: 2, breaking: 1, security: 0, latest: "1.13.0", text: "1 version · 2 updates · Breaking change: 1" };
  const page = { releases: [release], changes, pagination: { page: 1, pages: 2, total: 2 } };
  answers = [json(200, page), json(200, page)];
  const line = "1.13.0  [breaking]  Faster  https://acme.example/releases/faster\n";
  expect(await tidings(["whats-new", "--since", "1.12.0", "--component", "Server"])).toMatchObject({
    out: `${changes.text}\n${line}${line}`,
    exitCode: 0,
  });
  expect(calls.map(({ path }) => path)).toEqual([1, 2].map((page) => `/releases.json?since=1.12.0&limit=50&component=Server&page=${page}`));
  expect(calls.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  answers = [refusal(404, "not_found")];
  expect(await tidings(["whats-new", "--since", "latest"])).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/latest isn't a version/) as string,
  });
  expect(await tidings(["whats-new"])).toMatchObject({ exitCode: 2, err: expect.stringMatching(/Since which version/) as string });
});

test("errors are JSON with --json", async () => {
  answers = [json(200, { post: listed }), refusal(422, "validation_failed", { fields: { title: "Title is required" } })];
  const { exitCode, err } = await tidings(["edit", "v1", "--title", "", "--json"]);
  expect([exitCode, JSON.parse(err)]).toEqual([
    1,
    { error: "This does not go.", code: "validation_failed", fields: { title: "Title is required" }, exit_code: 1 },
  ]);
});

test("every command has its own help and completion", async () => {
  const { out } = await tidings(["--help"]);
  const names = [...out.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!);
  expect(names).toContain("archive");
  for (const name of names) expect((await tidings([name, "--help"])).out).toContain(`Usage: tidings ${name}`);
  for (const shell of ["bash", "zsh", "fish"]) expect((await tidings(["completion", shell])).out).toContain("external-id");
});

describe("login", () => {
  const file = () => path.join(folder, ".config/tidings/config.json");

  test("saves a working key with mode 600; logout deletes it", async () => {
    const answer = await tidings(["login"], { stdin: `${key}\n`, with: { TIDINGS_KEY: "" } });
    expect(answer).toMatchObject({ exitCode: 0, out: expect.stringContaining(`${key.slice(0, 8)}…${key.slice(-4)}`) });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await tidings(["whoami", "--json"], { with: { TIDINGS_KEY: "", TIDINGS_URL: "" } })).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('"reads":true'),
    });
    expect(await tidings(["whoami", "--url", "https://other.example"], { with: { TIDINGS_KEY: "" } })).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("The saved key is for"),
    });
    await tidings(["logout"]);
    await expect(stat(file())).rejects.toThrow("ENOENT");
  });
  test("doesn't save an invalid key; one that can't read posts is fine", async () => {
    answers = [refusal(401, "unauthenticated")];
    expect(await tidings(["login"])).toMatchObject({ exitCode: 3 });
    await expect(stat(file())).rejects.toThrow("ENOENT");
    answers = [refusal(403, "scope_missing", { scope: "posts:read" })];
    expect(await tidings(["login"])).toMatchObject({ exitCode: 0 });
  });
});

test("import uses file names as ids and reports failures; export writes posts and nothing else", async () => {
  await write("in/a.md", "---\ntitle: A\ndate: 2020-01-01\n---\nText.");
  await write("in/deep/b.md", "---\ntitle: B\nstatus: draft\n---\nText.");
  await write("in/c.md", "no title");
  await write("in/d.txt", "no Markdown");
  const answer = await tidings(["import", path.join(folder, "in"), "--publish"]);
  expect(answer).toMatchObject({ exitCode: 1, err: expect.stringContaining("1 of 3 files weren't imported") });
  expect(calls.map(({ path }) => path)).toEqual(["/api/v1/posts/by-external-id/a", "/api/v1/posts/by-external-id/deep%2Fb"]);
  expect(sent()).toEqual([
    { title: "A", markdown: "Text.", notify: false, status: "published", published_at: "2020-01-01T00:00:00.000Z" },
    { title: "B", markdown: "Text.", notify: false, status: "draft" },
  ]);
  const out = path.join(folder, "out");
  expect(await tidings(["export", "--markdown", out])).toMatchObject({ exitCode: 0, out: `1 post in ${out}\n` });
  expect(await readdir(out)).toEqual(["a----b.md"]);
  expect(await readFile(path.join(out, "a----b.md"), "utf8")).toBe("# A\n");
});

describe("export as one file", () => {
  const bytes =
    (...pieces: string[]) =>
    (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/zip" });
      for (const piece of pieces) response.write(piece);
      response.end();
    };
  const at = (name: string) => path.join(folder, name);

  test.each([
    ["markdown", "posts.zip"],
    ["changelog", "CHANGELOG.md"],
    ["feed", "posts.feed.json"],
  ])("%s is requested once and saved unchanged", async (format) => {
    answers = [bytes("one, ", "two")];
    expect(await tidings(["export", "--format", format, "--output", at("out")])).toMatchObject({
      exitCode: 0,
      out: `All posts in ${at("out")}\n`,
    });
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /api/v1/export?format=${format}`]);
    expect(await readFile(at("out"), "utf8")).toBe("one, two");
  });
  test("writes only the file to stdout", async () => {
    answers = [bytes("one, ", "two")];
    expect(await tidings(["export", "--format", "feed", "--output", "-"])).toMatchObject({ exitCode: 0, out: "one, two", err: "" });
  });
  test("names an output path that isn't writable", async () => {
    answers = [bytes("whole")];
    const { exitCode, err } = await tidings(["export", "--format", "feed", "--output", at("no/such/folder")]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining("couldn't write")]);
  });
});

describe("front matter", () => {
  test.each([
    ["---\na: b\nC-d: 'e''f'\n---\n\ntext", { a: "b", c_d: "e'f" }, "text"],
    ['---\r\ntags:\r\n  - a\r\n  - "b: c"\r\n# note\r\nx: true\r\n---\r\ntext', { tags: ["a", "b: c"], x: true }, "text"],
    ["---\n\ntext\n\n---", {}, "---\n\ntext\n\n---"],
    ["---\na: b\ntext without an end", {}, "---\na: b\ntext without an end"],
    ["text\n---\na: b\n---", {}, "text\n---\na: b\n---"],
    ["---\n__proto__: x\n---\n", Object.fromEntries([["__proto__", "x"]]), ""],
  ])("%j", (text, fields, body) => expect(readFrontMatter(text)).toEqual({ fields, body }));
  test("names an invalid line", () => expect(() => readFrontMatter("---\na: b\n{ c }\n---\n")).toThrow("Line 3 of the front matter"));
});

test.each([
  ["1.0.0", "- one"],
  ["v1.0.0", "- one"],
  ["Unreleased", "- next"],
  ["1.0", null],
  ["1.1.0-rc.1", "- rc\n\n```sh\n# 2.0.0\n```\n\n## Fixed\n\n- x"],
])("the section %s of a changelog", (name, text) => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n- next\n## [1.1.0-rc.1](https://x.example/1.1.0)\n- rc\n\n```sh\n# 2.0.0\n```\n\n### Fixed\n\n- x\n## v1.0.0 (2026-01-01)\n\n- one\n";
  expect(sectionOf(changelog, name)).toBe(text);
});

describe("the action", () => {
  const eventOf = async (release: object) => ({ GITHUB_EVENT_PATH: await write("event.json", JSON.stringify({ release })) });
  const release = { tag_name: "v1.2.0", name: "Faster; $(rm -rf /)", body: "- **a**", prerelease: false };

  test("makes a pre-release a draft; inputs override the release; a section needs a version", async () => {
    expect((await commandFor(await eventOf({ ...release, prerelease: true }))).args).toContain("--draft");
    const { args } = await commandFor({
      ...(await eventOf(release)),
      INPUT_CHANGELOG: "CHANGELOG.md",
      INPUT_TITLE: "--help",
      INPUT_NOTIFY: "false",
    });
    expect(args).toEqual([
      "publish",
      "CHANGELOG.md",
      "--json",
      "--title=--help",
      "--external-id=v1.2.0",
      "--section=v1.2.0",
      "--no-notify",
    ]);
    await expect(commandFor({ INPUT_CHANGELOG: "CHANGELOG.md" })).rejects.toThrow("Which version?");
    await expect(commandFor(await eventOf({ ...release, body: " " }))).rejects.toThrow("no notes");
  });
});
