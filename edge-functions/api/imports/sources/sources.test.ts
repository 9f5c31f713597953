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
import { Asking } from "../asking.ts";
import { sources } from "./all.ts";
import type { AskedSource, Wish } from "./source.ts";

/** Everybody's server: what it is asked, and what it says by path. */
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

/** What each of them answers, as the adapters' own tests have it. */
const golden = path.resolve(import.meta.dirname, "../../../../importers/fixtures");
const goldenOf = (source: string, file: string) => new Uint8Array(readFileSync(path.join(golden, source, file)));

const traces = { asked: [] as string[], connected: [] as string[] };
const ask = async (source: AskedSource, wish: Partial<Wish> = {}, toPrivate = true) => {
  const importHosts = Object.fromEntries(askedSources.map((name) => [name, url]));
  const env = { importsToPrivate: toPrivate, importHosts } as unknown as Env;
  const { product, source: asked } = sources[source];
  return await asked(new Asking(nodeNetwork({}, traces), env, product), { address: "", key: "", after: null, ...wish });
};
const fieldsOf = async (source: AskedSource, wish: Partial<Wish> = {}, toPrivate?: boolean) => {
  const error: unknown = await ask(source, wish, toPrivate).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe("validation_failed");
  return (error as AppError).details.fields;
};
/** All pieces, one after the other. */
const all = async (source: AskedSource, wish: Partial<Wish>) => {
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

  test("is asked page by page, with the key", async () => {
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
    ["a wrong key", "ghp_x", { status: 401 }, { key: "GitHub did not accept this key" }],
    ["a key that may not", "ghp_x", { status: 403 }, { key: "GitHub did not accept this key" }],
    ["nothing there", "", { status: 404 }, { address: /^127\.0\.0\.1:\d+ answered 404: there is nothing at this address$/ }],
    [
      "too many questions",
      "",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "4102444800" } },
      { address: "GitHub takes no more requests for now: please try again after 2100-01-01 00:00 UTC" },
    ],
    [
      "too many with a key",
      "ghp_x",
      { status: 429, headers: { "retry-after": "60" } },
      { address: /please try again after (\S+ )?\d\d:\d\d UTC$/ },
    ],
    ["too many, who knows how long", "", { status: 429 }, { address: "GitHub takes no more requests for now: please try again later" }],
    ["a fault", "", { status: 502 }, { address: /answered 502: something is wrong there, please try again later$/ }],
  ])("%s is said where it belongs", async (_, key, say, fields) => {
    says[releases] = say;
    const said = await fieldsOf("github", { address: "acme/app.js", key });
    for (const [field, sentence] of Object.entries(fields)) expect(said?.[field]).toMatch(sentence);
    expect(Object.keys(said!)).toEqual(Object.keys(fields));
  });

  test("keeps the key from whomever a redirect leads to", async () => {
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

  test("is taken as it is", async () => {
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
  ])("is found where a page says %s", async (link, path) => {
    says["/blog/"] = { headers: { "content-type": "text/html" }, body: `<!doctype html><link rel="stylesheet" href="/x.css">${link}` };
    says[path] = rss;
    expect(await ask("feed", { address: `${url}/blog/` })).toMatchObject({ text: rss, address: url + path });
  });

  test.each(["<!DOCTYPE html><p>No feed", "  <html><link rel=alternate hreflang=de href=/de></html>"])(
    "is missing where a page is %s",
    async (page) => {
      says["/"] = page;
      expect(await fieldsOf("feed", { address: url })).toEqual({ address: "There is no feed at this address, and the page names none" });
    },
  );

  test("that leads to a page again is none", async () => {
    says["/"] = '<!doctype html><link rel="alternate" type="application/rss+xml" href="/">';
    expect(await fieldsOf("feed", { address: url })).toEqual({ address: "The page names a feed, but there is none" });
  });

  test("is read page by page where it names them, and no further than it names", async () => {
    says["/atom"] = '<feed><link rel="next" href="/atom?p=2&amp;q=1"/><entry><link rel="next" href="/wrong"/></entry></feed>';
    says["/atom?p=2&q=1"] = '<feed><link rel="self" href="/x"/><entry/></feed>';
    expect((await all("feed", { address: `${url}/atom` })).map(({ name, next }) => [name, next])).toEqual([
      ["feed-page-1.xml", `2 ${url}/atom?p=2&q=1`],
      ["feed-page-2.xml", null],
    ]);
    says["/json"] = { version: "https://jsonfeed.org/version/1", next_url: "/json2" };
    says["/json2"] = { version: "https://jsonfeed.org/version/1", next_url: "/json2" }; // itself: that is its end
    expect((await all("feed", { address: `${url}/json` })).map(({ name }) => name)).toEqual(["feed-page-1.json", "feed-page-2.json"]);
  });

  test("in another encoding arrives as what it says", async () => {
    says["/latin"] = { headers: { "content-type": "text/xml; charset=ISO-8859-1" }, body: Buffer.from("<rss>caf\u00e9</rss>", "latin1") };
    expect((await ask("feed", { address: `${url}/latin` })).text).toBe("<rss>café</rss>");
    const declared = '<?xml version="1.0" encoding="windows-1252"?><rss>\u00e9</rss>';
    says["/declared"] = { body: Buffer.from(declared, "latin1") };
    expect((await ask("feed", { address: `${url}/declared` })).text).toBe('<?xml version="1.0" encoding="UTF-8"?><rss>é</rss>');
    says["/broken"] = { body: Buffer.from([0x3c, 0x61, 0xff, 0x3e]) };
    expect((await ask("feed", { address: `${url}/broken` })).text).toBe("<a\ufffd>");
  });

  test.each([
    ["127.0.0.1:8080/feed", "Only the ports 443 and 8443 are allowed"],
    ["https://10.0.0.1/feed", "This address leads to a private network, or to this machine"],
    ["http://169.254.169.254/latest/meta-data/", "This address leads to a private network, or to this machine"],
    ["localhost/feed", "This address leads to a private network, or to this machine"],
    ["feeds.example/x", "There is no such name in the DNS"],
    ["file:///etc/passwd", "Please enter a URL that starts with https://"],
    ["", "Please enter a URL that starts with https://"],
    ["http://", "Please enter a URL that starts with https://"],
  ])("at %j is not asked for", async (address, sentence) => {
    expect(await fieldsOf("feed", { address }, false)).toEqual({ address: sentence });
  });

  test("without an end is refused, and so is one that only begins", async () => {
    says["/endless"] = { headers: { "content-length": String(sourceMaxBytes + 1) } };
    expect(await fieldsOf("feed", { address: `${url}/endless` })).toEqual({
      address: expect.stringMatching(/answered with more than 10 MB$/),
    });
  });
});

describe("Headway", () => {
  test("is asked by name, by address, and for the pages it leads to", async () => {
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

  test("is asked ten posts at a time, with its header", async () => {
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
    [{ status: 401 }, "Beamer did not accept this key"],
    [{ status: 403 }, "Beamer did not accept this key"],
    [{ status: 429 }, "Beamer takes no more requests for now: please try again later"],
    [{ error: "x" }, "Beamer answered something that is no list of posts"],
    ["<html>", "Beamer answered something that is not JSON"],
  ])("%j is a sentence", async (say, sentence) => {
    says["/v0/posts"] = say;
    expect(await fieldsOf("beamer", { key: "b_key" })).toEqual({ key: sentence });
  });
});

describe("Canny", () => {
  test("is asked a hundred entries at a time, with the key in the body", async () => {
    says["/api/v1/entries/list"] = ({ body }) => ({ entries: [1], hasMore: (JSON.parse(body) as { skip: number }).skip < 200 });
    const pieces = await all("canny", { key: "c_key" });
    expect(pieces.map(({ name }) => name)).toEqual(["canny-page-1.json", "canny-page-2.json", "canny-page-3.json"]);
    expect(heard.map(({ method, body }) => [method, JSON.parse(body)])).toEqual(
      [0, 100, 200].map((skip) => ["POST", { apiKey: "c_key", limit: 100, skip }]),
    );
  });

  test.each<[Say, string]>([
    [{ error: "invalid API key" }, "Canny did not accept this key"],
    [{ status: 401 }, "Canny did not accept this key"],
    [{ error: "server error" }, "Canny answered something that is no list of entries"],
    ["null", "Canny answered something that is no list of entries"],
    [{ status: 302, headers: { location: "https://evil.example/" } }, "LEADS"],
  ])("%j is a sentence", async (say, sentence) => {
    says["/api/v1/entries/list"] = say;
    const fields = await fieldsOf("canny", { key: "c_key" });
    if (sentence === "LEADS") expect(fields).toEqual({ key: expect.stringMatching(/answered 302: it leads elsewhere$/) });
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

  test("is asked for the key's project, then for its pages from 0 on", async () => {
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

  test("of several projects is asked for the one that is named", async () => {
    says["/gq/v2"] = knowing(project("7", "Acme"), project("8", "Beta"));
    expect(await fieldsOf("announcekit", { key: "k" })).toEqual({ address: "Please enter which project: Acme, Beta" });
    for (const address of ["8", "beta", "Beta"]) expect((await ask("announcekit", { key: "k", address })).next).toBe("2 8");
    expect(await fieldsOf("announcekit", { key: "k", address: "gamma" })).toEqual({ address: "Please enter which project: Acme, Beta" });
  });

  test.each<[Say, Record<string, string>]>([
    [{ data: { me: null } }, { key: "AnnounceKit did not accept this key" }],
    [{ errors: [{ message: "Access Denied." }] }, { key: "AnnounceKit did not accept this key" }],
    [{ status: 401 }, { key: "AnnounceKit did not accept this key" }],
    [
      { errors: [{ message: "Slow", extensions: { code: "RATE_LIMITED" } }] },
      { address: "AnnounceKit takes no more requests for now: please try again later" },
    ],
    [{ errors: [{ message: "Bad token-in-question" }] }, { address: "AnnounceKit answered: Bad …" }],
    [{ data: { me: { memberships: [] } } }, { address: "This key can read no project" }],
    ["[]", { key: "AnnounceKit did not accept this key" }],
  ])("%j is a sentence without the key", async (say, fields) => {
    says["/gq/v2"] = say;
    expect(await fieldsOf("announcekit", { key: "token-in-question" })).toEqual(fields);
  });
});

describe("LaunchNotes", () => {
  const wish = { address: "pro_abc", key: "ln" };

  test("is asked for a project's announcements, from cursor to cursor", async () => {
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
    [{ data: { project: null } }, { address: "LaunchNotes knows no project with this id" }],
    [{ errors: [{ message: "Unauthorized" }] }, { key: "LaunchNotes did not accept this key" }],
    [{ data: {} }, { address: "LaunchNotes answered something that is no list of announcements" }],
  ])("%j is a sentence", async (say, fields) => {
    says["/graphql"] = say;
    expect(await fieldsOf("launchnotes", wish)).toEqual(fields);
  });
});

test.each(["[".repeat(3_000_000), `[${"{},".repeat(600_000)}{}]`])("JSON of nothing but brackets is not parsed", async (say) => {
  says["/api/json"] = says["/v0/posts"] = says["/feed.json"] = say;
  expect(await fieldsOf("changes-page", { address: url })).toEqual({ address: "changes.page answered more than anybody can read" });
  expect(await fieldsOf("beamer", { key: "k" })).toEqual({ key: "Beamer answered more than anybody can read" });
});

describe("changes.page", () => {
  test("says everything at once, wherever on the page one is", async () => {
    says["/api/json"] = [{ id: 1 }];
    expect(await ask("changes-page", { address: `${url}/post/1` })).toEqual({
      ...{ name: "changes-page.json", text: '[{"id":1}]', address: url, next: null },
    });
  });
});

describe("what is answered, read by the adapter in the browser, is what the file is:", () => {
  const now = new Date("2026-06-01T12:00:00Z");
  test.each<[AskedSource, Adapter, string, string, Partial<Wish>]>([
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
