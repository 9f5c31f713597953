import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askedSources, sourceMaxBytes } from "#contract/imports.ts";
import { announcekit as announcekitFiles } from "#importers/adapters/announcekit.ts";
import { beamer as beamerFiles } from "#importers/adapters/beamer.ts";
import { canny as cannyFiles } from "#importers/adapters/canny.ts";
import { changesPage as changesPageFiles } from "#importers/adapters/changes-page.ts";
import type { Adapter } from "#importers/entry.ts";
import { feed as feedFiles } from "#importers/adapters/feed.ts";
import { github as githubFiles } from "#importers/adapters/github.ts";
import { headway as headwayFiles } from "#importers/adapters/headway.ts";
import { launchnotes as launchnotesFiles } from "#importers/adapters/launchnotes.ts";
import { nodeNetwork } from "../../../../tests/support/node-network.ts";
import type { Env } from "../../../_shared/env.ts";
import { AppError } from "../../../_shared/errors.ts";
import { SourceClient } from "../source-client.ts";
import { sources } from "./all.ts";
import type { AskedSource, SourceQuery } from "./source.ts";

interface Heard {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}
type Say = string | object | { status?: number; headers?: Record<string, string>; body?: string | Buffer };
let heard: Heard[] = [];
let says: Record<string, Say | ((asked: Heard) => Say)> = {};
const server = http.createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
  request.on("end", () => {
    const asked = { method: request.method!, path: request.url!, headers: request.headers, body };
    heard.push(asked);
    const found = says[asked.path] ?? says[asked.path.split("?")[0]!] ?? { status: 404 };
    const say = typeof found === "function" ? found(asked) : found;
    if (typeof say === "string") return void response.end(say);
    if (Array.isArray(say) || !("status" in say || "headers" in say || "body" in say)) return void response.end(JSON.stringify(say));
    const { status = 200, headers = {}, body: text = "" } = say;
    response.writeHead(status, headers).end(text);
  });
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void (server.close(), server.closeAllConnections()));
beforeEach(() => {
  heard = [];
  says = {};
});

const golden = path.resolve(import.meta.dirname, "../../../../importers/fixtures");
const goldenOf = (source: string, file: string) => new Uint8Array(readFileSync(path.join(golden, source, file)));

const traces = { asked: [] as string[], connected: [] as string[] };
const ask = async (source: AskedSource, wish: Partial<SourceQuery> = {}, toPrivate = true) => {
  const importHosts = Object.fromEntries(askedSources.map((name) => [name, url]));
  const env = { importsToPrivate: toPrivate, importHosts } as unknown as Env;
  const { product, source: asked } = sources[source];
  return await asked(new SourceClient(nodeNetwork({}, traces), env, product), { address: "", key: "", after: null, ...wish });
};
const fieldsOf = async (source: AskedSource, wish: Partial<SourceQuery> = {}, toPrivate?: boolean) => {
  const error: unknown = await ask(source, wish, toPrivate).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe("validation_failed");
  return (error as AppError).details.fields;
};
const all = async (source: AskedSource, wish: Partial<SourceQuery>) => {
  const pieces = [await ask(source, wish)];
  while (pieces.at(-1)!.next !== null && pieces.length < 20) pieces.push(await ask(source, { ...wish, after: pieces.at(-1)!.next }));
  return pieces;
};

describe("GitHub", () => {
  const releases = "/repos/acme/app.js/releases";
  test.each([
    ...["acme/app.js", "https://github.com/acme/app.js", "github.com/acme/app.js/releases/tag/v1", "https://github.com/acme/app.js.git"],
    "git@github.com:acme/app.js.git",
  ])("%s is a repository", async (address) => {
    says[releases] = "[]";
    expect(await ask("github", { address })).toEqual({
      ...{ name: "releases-page-1.json", text: "[]", address: "https://github.com/acme/app.js", next: null },
    });
    expect(heard[0]).toMatchObject({ path: `${releases}?per_page=100&page=1`, headers: { accept: "application/vnd.github+json" } });
    expect(heard[0]!.headers.authorization).toBeUndefined();
  });

  test("is requested page by page, with the key", async () => {
    for (const page of [1, 2, 3])
      says[`${releases}?per_page=100&page=${page}`] = {
        ...(page < 3 && { headers: { link: `<${url}/x?page=1>; rel="prev", <${url}/x?page=${page + 1}>; rel="next"` } }),
        body: `[${page}]`,
      };
    const pieces = await all("github", { address: "acme/app.js", key: "ghp_abc" });
    expect(pieces.map(({ name, text, next }) => [name, text, next])).toEqual([
      ["releases-page-1.json", "[1]", "2"],
      ["releases-page-2.json", "[2]", "3"],
      ["releases-page-3.json", "[3]", null],
    ]);
    expect(heard.map(({ headers }) => headers.authorization)).toEqual(Array.from({ length: 3 }, () => "Bearer ghp_abc"));
  });

  test.each<[string, string, Say, Record<string, string | RegExp>]>([
    ["a wrong key", "ghp_x", { status: 401 }, { key: "GitHub didn't accept this key" }],
    ["a key that may not", "ghp_x", { status: 403 }, { key: "GitHub didn't accept this key" }],
    ["nothing there", "", { status: 404 }, { address: /^127\.0\.0\.1:\d+ responded with 404: page not found$/ }],
    [
      "too many requests",
      "",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" } },
      { address: "GitHub is rate limiting us. Please try again after 2100-01-01 00:00 UTC" },
    ],
    [
      "too many with a key",
      "ghp_x",
      { status: 429, headers: { "retry-after": "60" } },
      { address: /Please try again after (\S+ )?\d\d:\d\d UTC$/ },
    ],
    ["too many, who knows how long", "", { status: 429 }, { address: "GitHub is rate limiting us. Please try again later" }],
    ["a fault", "", { status: 502 }, { address: /responded with 502: server error, please try again later$/ }],
  ])("%s is reported at its field", async (_, key, say, fields) => {
    says[releases] = say;
    const said = await fieldsOf("github", { address: "acme/app.js", key });
    for (const [field, sentence] of Object.entries(fields)) expect(said?.[field]).toMatch(sentence);
    expect(Object.keys(said!)).toEqual(Object.keys(fields));
  });

  test("doesn't send the key to a redirect's target", async () => {
    says[releases] = { status: 301, headers: { location: `${url.replace("127.0.0.1", "localhost")}/elsewhere` } };
    says["/elsewhere"] = "[]";
    await ask("github", { address: "acme/app.js", key: "ghp_secret" });
    expect(heard.map(({ path, headers }) => [path.split("?")[0], headers.authorization])).toEqual([
      [releases, "Bearer ghp_secret"],
      ["/elsewhere", undefined],
    ]);
  });
});

describe("a feed", () => {
  const rss = "<?xml version='1.0'?><rss><channel><item><title>One</title></item></channel></rss>";

  test("is returned unchanged", async () => {
    says["/feed"] = rss;
    expect(await ask("feed", { address: `${url}/feed` })).toEqual({
      name: "feed-page-1.xml",
      text: rss,
      address: `${url}/feed`,
      next: null,
    });
    says["/json"] = ' {"version":"https://jsonfeed.org/version/1.1"}';
    expect((await ask("feed", { address: `${url}/json` })).name).toBe("feed-page-1.json");
  });

  test.each([
    ['<link rel="alternate" type="application/rss+xml" href="/feed?a=1&amp;b=2">', "/feed?a=1&b=2"],
    ["<LINK HREF='feed.xml' TYPE='application/atom+xml' REL='alternate'>", "/blog/feed.xml"],
    ["<link rel=alternate type=application/feed+json href=/feed.json>", "/feed.json"],
  ])("is found by a page's %s", async (link, path) => {
    says["/blog/"] = { headers: { "content-type": "text/html" }, body: `<!doctype html><link rel="stylesheet" href="/x.css">${link}` };
    says[path] = rss;
    expect(await ask("feed", { address: `${url}/blog/` })).toMatchObject({ text: rss, address: url + path });
  });

  test.each(["<!DOCTYPE html><p>No feed", "  <html><link rel=alternate hreflang=de href=/de></html>"])(
    "is missing where a page is %s",
    async (page) => {
      says["/"] = page;
      expect(await fieldsOf("feed", { address: url })).toEqual({ address: "There's no feed at this URL, and the page links to none" });
    },
  );

  test("a page that links to a page isn't a feed", async () => {
    says["/"] = '<!doctype html><link rel="alternate" type="application/rss+xml" href="/">';
    expect(await fieldsOf("feed", { address: url })).toEqual({ address: "The page links to a feed that doesn't exist" });
  });

  test("is read page by page as it links them", async () => {
    says["/atom"] = '<feed><link rel="next" href="/atom?p=2&amp;q=1"/><entry><link rel="next" href="/wrong"/></entry></feed>';
    says["/atom?p=2&q=1"] = '<feed><link rel="self" href="/x"/><entry/></feed>';
    expect((await all("feed", { address: `${url}/atom` })).map(({ name, next }) => [name, next])).toEqual([
      ["feed-page-1.xml", `2 ${url}/atom?p=2&q=1`],
      ["feed-page-2.xml", null],
    ]);
    says["/json"] = { version: "https://jsonfeed.org/version/1", next_url: "/json2" };
    says["/json2"] = { version: "https://jsonfeed.org/version/1", next_url: "/json2" };
    expect((await all("feed", { address: `${url}/json` })).map(({ name }) => name)).toEqual(["feed-page-1.json", "feed-page-2.json"]);
  });

  test.each([
    ["127.0.0.1:8080/feed", "Only ports 443 and 8443 are allowed"],
    ["https://10.0.0.1/feed", "This URL points to a private network or to this machine"],
    ["http://169.254.169.254/latest/meta-data/", "This URL points to a private network or to this machine"],
    ["localhost/feed", "This URL points to a private network or to this machine"],
    ["feeds.example/x", "Domain not found"],
    ["file:///etc/passwd", "Please enter a URL that starts with https://"],
    ["", "Please enter a URL that starts with https://"],
    ["http://", "Please enter a URL that starts with https://"],
  ])("at %j is not requested", async (address, sentence) => {
    expect(await fieldsOf("feed", { address }, false)).toEqual({ address: sentence });
  });

  test("an endless or truncated response is rejected", async () => {
    says["/endless"] = { headers: { "content-length": String(sourceMaxBytes + 1) } };
    expect(await fieldsOf("feed", { address: `${url}/endless` })).toEqual({
      address: expect.stringMatching(/sent more than 10 MB$/),
    });
  });
});

describe("Headway", () => {
  test("accepts a name or URL, and follows its pages", async () => {
    says["/acme-changelog"] = '<html><a class="x" href="/acme-changelog?page=2">Older</a></html>';
    says["/acme-changelog?page=2"] = '<html><a href="/acme-changelog?page=1">Newer</a> <a href="https://evil.example/?page=3">x</a></html>';
    const byName = await all("headway", { address: "acme" });
    expect(byName.map(({ name, address, next }) => [name, address, next])).toEqual([
      ["headway-page-1.html", `${url}/acme-changelog`, `2 ${url}/acme-changelog?page=2`],
      ["headway-page-2.html", `${url}/acme-changelog?page=2`, null],
    ]);
    expect((await ask("headway", { address: "acme-changelog" })).text).toBe(says["/acme-changelog"]);
    expect((await ask("headway", { address: `${url}/acme-changelog` })).text).toBe(says["/acme-changelog"]);
  });
});

describe("Beamer", () => {
  const page = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

  test("is requested ten posts at a time, with its header", async () => {
    says["/v0/posts?maxResults=10&page=1"] = page(10);
    says["/v0/posts?maxResults=10&page=2"] = page(3);
    const pieces = await all("beamer", { key: "b_key" });
    expect(pieces.map(({ name, next }) => [name, next])).toEqual([
      ["beamer-page-1.json", "2"],
      ["beamer-page-2.json", null],
    ]);
    expect(heard.map(({ headers }) => headers["beamer-api-key"])).toEqual(["b_key", "b_key"]);
  });

  test.each<[Say, string]>([
    [{ status: 401 }, "Beamer didn't accept this key"],
    [{ status: 403 }, "Beamer didn't accept this key"],
    [{ status: 429 }, "Beamer is rate limiting us. Please try again later"],
    [{ error: "x" }, "Beamer sent a response without a list of posts"],
    ["<html>", "Beamer sent a response that isn't JSON"],
  ])("%j is reported", async (say, sentence) => {
    says["/v0/posts"] = say;
    expect(await fieldsOf("beamer", { key: "b_key" })).toEqual({ key: sentence });
  });
});

describe("Canny", () => {
  test("is requested a hundred entries at a time, with the key in the body", async () => {
    says["/api/v1/entries/list"] = ({ body }) => ({ entries: [1], hasMore: (JSON.parse(body) as { skip: number }).skip < 200 });
    const pieces = await all("canny", { key: "c_key" });
    expect(pieces.map(({ name }) => name)).toEqual(["canny-page-1.json", "canny-page-2.json", "canny-page-3.json"]);
    expect(heard.map(({ method, body }) => [method, JSON.parse(body)])).toEqual(
      [0, 100, 200].map((skip) => ["POST", { apiKey: "c_key", limit: 100, skip }]),
    );
  });

  test.each<[Say, string]>([
    [{ error: "invalid API key" }, "Canny didn't accept this key"],
    [{ status: 401 }, "Canny didn't accept this key"],
    [{ error: "server error" }, "Canny sent a response without a list of entries"],
    ["null", "Canny sent a response without a list of entries"],
    [{ status: 302, headers: { location: "https://evil.example/" } }, "REDIRECT"],
  ])("%j is reported", async (say, sentence) => {
    says["/api/v1/entries/list"] = say;
    const fields = await fieldsOf("canny", { key: "c_key" });
    if (sentence === "REDIRECT") expect(fields).toEqual({ key: expect.stringMatching(/responded with 302: redirect$/) });
    else expect(fields).toEqual({ key: sentence });
    expect(heard).toHaveLength(1);
  });
});

describe("AnnounceKit", () => {
  const project = (id: string, name: string) => ({ project: { id, name, slug: name.toLowerCase() } });
  const knowing = (...memberships: object[]): Say | ((asked: Heard) => Say) => {
    return ({ body }: Heard) => {
      const { query, variables } = JSON.parse(body) as { query: string; variables: { page: number } };
      return { data: query.includes("memberships") ? { me: { memberships } } : { posts: { pages: 2, page: variables.page, list: [] } } };
    };
  };

  test("requests the key's project, then its pages from 0", async () => {
    says["/gq/v2"] = knowing(project("7", "Acme"));
    const pieces = await all("announcekit", { key: "ak_pat_1" });
    expect(pieces.map(({ name, next }) => [name, next])).toEqual([
      ["announcekit-page-1.json", "2 7"],
      ["announcekit-page-2.json", null],
    ]);
    expect(heard.map(({ body, headers }) => [(JSON.parse(body) as { variables: object }).variables, headers.authorization])).toEqual([
      [{}, "Bearer ak_pat_1"],
      [{ project: "7", page: 0 }, "Bearer ak_pat_1"],
      [{ project: "7", page: 1 }, "Bearer ak_pat_1"],
    ]);
  });

  test("requests the named project of several", async () => {
    says["/gq/v2"] = knowing(project("7", "Acme"), project("8", "Beta"));
    expect(await fieldsOf("announcekit", { key: "k" })).toEqual({ address: "Please enter the project: Acme, Beta" });
    for (const address of ["8", "beta", "Beta"]) expect((await ask("announcekit", { key: "k", address })).next).toBe("2 8");
    expect(await fieldsOf("announcekit", { key: "k", address: "gamma" })).toEqual({ address: "Please enter the project: Acme, Beta" });
  });

  test.each<[Say, Record<string, string>]>([
    [{ data: { me: null } }, { key: "AnnounceKit didn't accept this key" }],
    [{ errors: [{ message: "Access Denied." }] }, { key: "AnnounceKit didn't accept this key" }],
    [{ status: 401 }, { key: "AnnounceKit didn't accept this key" }],
    [
      { errors: [{ message: "Slow", extensions: { code: "RATE_LIMITED" } }] },
      { address: "AnnounceKit is rate limiting us. Please try again later" },
    ],
    [{ errors: [{ message: "Bad token-in-question" }] }, { address: "AnnounceKit responded: Bad …" }],
    [{ data: { me: { memberships: [] } } }, { address: "This key has no access to a project" }],
    ["[]", { key: "AnnounceKit didn't accept this key" }],
  ])("%j is reported without the key", async (say, fields) => {
    says["/gq/v2"] = say;
    expect(await fieldsOf("announcekit", { key: "token-in-question" })).toEqual(fields);
  });
});

describe("LaunchNotes", () => {
  const wish = { address: "pro_abc", key: "ln" };

  test("requests a project's announcements by cursor", async () => {
    says["/graphql"] = ({ body }) => {
      const { after } = (JSON.parse(body) as { variables: { after: string | null } }).variables;
      return { data: { project: { announcements: { nodes: [], pageInfo: { hasNextPage: after === null, endCursor: "MTAw" } } } } };
    };
    const pieces = await all("launchnotes", wish);
    expect(pieces.map(({ name, next }) => [name, next])).toEqual([
      ["launchnotes-page-1.json", "2 MTAw"],
      ["launchnotes-page-2.json", null],
    ]);
    expect(heard.map(({ body }) => (JSON.parse(body) as { variables: object }).variables)).toEqual([
      { project: "pro_abc", first: 100, after: null },
      { project: "pro_abc", first: 100, after: "MTAw" },
    ]);
  });

  test.each<[Say, Record<string, string>]>([
    [{ data: { project: null } }, { address: "LaunchNotes has no project with this id" }],
    [{ errors: [{ message: "Unauthorized" }] }, { key: "LaunchNotes didn't accept this key" }],
    [{ data: {} }, { address: "LaunchNotes sent a response without a list of announcements" }],
  ])("%j is reported", async (say, fields) => {
    says["/graphql"] = say;
    expect(await fieldsOf("launchnotes", wish)).toEqual(fields);
  });
});

test.each(["[".repeat(3_000_000), `[${"{},".repeat(600_000)}{}]`])("JSON of only brackets isn't parsed", async (say) => {
  says["/api/json"] = says["/v0/posts"] = says["/feed.json"] = say;
  expect(await fieldsOf("changes-page", { address: url })).toEqual({ address: "changes.page sent a response that's too large" });
  expect(await fieldsOf("beamer", { key: "k" })).toEqual({ key: "Beamer sent a response that's too large" });
});

describe("changes.page", () => {
  test("returns everything at once for any URL of the page", async () => {
    says["/api/json"] = [{ id: 1 }];
    expect(await ask("changes-page", { address: `${url}/post/1` })).toEqual({
      ...{ name: "changes-page.json", text: '[{"id":1}]', address: url, next: null },
    });
  });
});

describe("the adapter reads a response like a file:", () => {
  const now = new Date("2026-06-01T12:00:00Z");
  test.each<[AskedSource, Adapter, string, string, Partial<SourceQuery>]>([
    ["github", githubFiles, "releases.json", "/repos/acme/app/releases", { address: "acme/app" }],
    ["feed", feedFiles, "atom.xml", "/feed", { address: "HERE/feed" }],
    ["feed", feedFiles, "rss1-latin1.xml", "/feed", { address: "HERE/feed" }],
    ["feed", feedFiles, "feed.json", "/feed", { address: "HERE/feed" }],
    ["headway", headwayFiles, "acme.html", "/acme-changelog", { address: "acme" }],
    ["beamer", beamerFiles, "pages/beamer-page-1.json", "/v0/posts", { key: "k" }],
    ["canny", cannyFiles, "canny-page-1.json", "/api/v1/entries/list", { key: "k" }],
    ["launchnotes", launchnotesFiles, "launchnotes-page-1.json", "/graphql", { address: "pro_1", key: "k" }],
    ["changes-page", changesPageFiles, "posts.json", "/api/json", { address: "HERE" }],
  ])("%s", async (source, adapter, file, at, { address = "", ...wish }) => {
    const bytes = goldenOf(source, file);
    says[at] = { body: Buffer.from(bytes) };
    const piece = await ask(source, { ...wish, address: address.replace("HERE", url) });
    const read = adapter.read([{ name: piece.name, bytes: new TextEncoder().encode(piece.text) }], { now, address: piece.address });
    expect(read.entries.length).toBeGreaterThan(0);
    expect(read).toEqual(adapter.read([{ name: file, bytes }], { now, address: piece.address }));
  });

  test("announcekit", async () => {
    const bytes = goldenOf("announcekit", "announcekit-page-1.json");
    says["/gq/v2"] = ({ body }) =>
      body.includes("memberships") ? { data: { me: { memberships: [{ project: { id: "1" } }] } } } : { body: Buffer.from(bytes) };
    const piece = await ask("announcekit", { key: "k" });
    const read = announcekitFiles.read([{ name: piece.name, bytes: new TextEncoder().encode(piece.text) }], { now });
    expect(read).toEqual(announcekitFiles.read([{ name: "a.json", bytes }], { now }));
    expect(read.entries.length).toBeGreaterThan(0);
  });
});
