import postgres from "postgres";
import { afterAll, describe, expect, inject, test } from "vitest";
import { createApp } from "../../edge-functions/releases/app.tsx";
import { PageCache, rendered } from "../../edge-functions/releases/page-cache.ts";
import { connect, type Sql } from "../../edge-functions/releases/queries/database.ts";
import { sharing } from "../../edge-functions/releases/queries/workspaces.ts";
import { addressesBelow } from "../../edge-functions/releases/site.ts";
import { freePort } from "../support/stack.ts";
import { newPerson, newWorkspace } from "./support/people.ts";
import { newPost, openWorkspace, setPublic, visit } from "./support/public.ts";

const { ownerUrl } = inject("stack");

const text = (query: string) => Object.assign([query], { raw: [query] }) as TemplateStringsArray;

describe.each([false, true])("the public pages' connection (by a transaction pooler: %s)", (pooled) => {
  const sql = connect(ownerUrl, { pooled });
  afterAll(() => sql.end());

  test("has the role anon", async () => {
    const [row] = await sql<{ current_user: string }[]>`select current_user`;
    expect(row?.current_user).toBe("anon");
  });
  test.each(["public.posts", "public.workspaces", "public.members", "private.visible_posts", "auth.users"])(
    "can't read %s",
    async (table) => {
      await expect(sql(text(`select * from ${table} limit 1`))).rejects.toMatchObject({ code: "42501" });
    },
  );
});

describe("while the database is down", () => {
  test("pages and data answer 503 with Retry-After", async () => {
    const lines: string[] = [];
    const sql = connect(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`);
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: (line) => lines.push(line.event) });
    const page = await app.fetch(new Request("https://acme.tidings.example/releases"));
    expect([page.status, page.headers.get("retry-after"), page.headers.get("cache-control")]).toEqual([503, "1", "no-store"]);
    expect(await page.text()).toContain("Please try again in a moment.");
    expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
    const data = await app.fetch(new Request("https://tidings.example/releases/widget.json?workspace=acme"));
    expect([data.status, ((await data.json()) as { code: string }).code]).toEqual([503, "unavailable"]);
    expect(lines).toEqual(["fault", "request", "fault", "request"]);
    await sql.end();
  });
  test("a timed out query is a 503, as a retry may succeed", async () => {
    const slow = postgres(ownerUrl, { max: 1 });
    const thrown: unknown = await slow.unsafe("set statement_timeout = 20; select pg_sleep(5)").catch((error: unknown) => error);
    await slow.end();
    expect(thrown).toMatchObject({ code: "57014" });
    const sql = (() => Promise.reject(thrown as Error)) as unknown as ReturnType<typeof connect>;
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: () => {} });
    const page = await app.fetch(new Request("https://acme.tidings.example/releases"));
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await page.text()).toContain("Please try again in a moment.");
  });
  test("a server error reveals nothing", async () => {
    const sql = (() => Promise.reject(new Error("secret detail"))) as unknown as ReturnType<typeof connect>;
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: () => {} });
    const page = await app.fetch(new Request("https://acme.tidings.example/releases"));
    expect(page.status).toBe(500);
    expect(await page.text()).not.toContain("secret");
  });
});

describe("behind a hosted installation's front door", () => {
  test("every path of the function also works below /releases/_", async () => {
    const owner = await newPerson();
    const { id, subdomain } = await newWorkspace(owner);
    await setPublic(id, true);
    const { slug } = await newPost(owner, id);
    for (const path of ["/releases", `/releases/${slug}`, "/releases.json", "/robots.txt", "/sitemap.xml"]) {
      const [direct, below] = [await visit(subdomain, path), await visit(subdomain, `/releases/_${path}`)];
      expect([path, below.status, below.body]).toEqual([path, 200, direct.body]);
    }
  });
  test.each([
    "//evil.example/",
    "/releases/_//evil.example/",
    "/releases/_///evil.example//",
    "/releases/_/\\evil.example/",
    "/releases/_\\/evil.example/",
    "/releases/_/\t/evil.example/",
    "/releases/_/%2F/evil.example/",
    "/releases/_/%5Cevil.example/",
    "/releases/_/releases/_//evil.example/",
  ])("a redirect stays on the host: %j", async (path) => {
    const sql = (() => Promise.resolve([{ slug: "a", tag: "1" }])) as unknown as Sql; // a post of an open workspace had each of these paths
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: () => {} });
    const here = "https://acme.tidings.example";
    const { status, headers } = await app.fetch(new Request(here + path));
    const location = headers.get("location")!;
    expect([status, location[0], new URL(location, here).origin]).toEqual([301, "/", here]);
  });
  test("a redirect stays on the host through the gateway too", async () => {
    const { subdomain } = await openWorkspace(await newPerson());
    for (const [host, path] of [
      [subdomain, "/releases/_//evil.example/"],
      [null, "/functions/v1/releases/_//evil.example/"],
    ] as const)
      expect([path, (await visit(host, path)).headers.location]).toEqual([path, undefined]);
    expect((await visit(subdomain, "/releases//evil.example/")).headers.location).toBe("/releases//evil.example");
  });
});

describe("database queries", () => {
  const database = connect(ownerUrl);
  afterAll(() => database.end());

  async function watched(told: Record<string, unknown> = {}) {
    const owner = await newPerson();
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id, { tags: ["fix"] });
    const asked: string[] = [];
    const sql = (async (words: TemplateStringsArray, ...values: string[]) => {
      const name = /private\.(\w+)/.exec(words.join(""))![1]!;
      asked.push(name);
      const rows = await database(words, ...values);
      return name === "find_workspace" ? rows.map((row) => ({ ...row, ...told })) : rows;
    }) as unknown as Sql;
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: () => {} });
    const read = async (path: string) => await app.fetch(new Request(`https://${subdomain}.tidings.example${path}`));
    return { id, owner, slug, asked, read };
  }

  test.each<[string, (slug: string) => string, string]>([
    ["a post", (slug) => `/releases/${slug}`, "get_release"],
    ["a post's data", (slug) => `/releases/${slug}.json`, "get_release"],
    ["a feed", () => "/releases/rss.xml", "list_releases"],
    ["the widget's data", () => "/releases/widget.json", "list_releases"],
    ["the sitemap", () => "/sitemap.xml", "release_addresses"],
    ["llms.txt", () => "/llms.txt", "list_releases"],
  ])("%s is rendered once, whatever unknown query parameters it has", async (_, pathOf, question) => {
    const { slug, asked, read } = await watched();
    for (const query of ["", "?q=1", "?q=2", "?page=2", "?limit=3", "?month=2020-01", "?page=x&q=%00", "?utm_source=x"])
      expect((await read(pathOf(slug) + query)).status).toBe(200);
    expect(asked.filter((name) => name === question)).toEqual([question]);
  });
  test.each<[string, (slug: string) => string]>([
    ["a post", (slug) => `/releases/${slug}`],
    ["a list", () => "/releases"],
    ["a feed", () => "/releases/atom.xml"],
    ["the widget's data", () => "/releases/widget.json"],
    ["a post's Markdown", (slug) => `/releases/${slug}.md`],
    ["the list's Markdown", () => "/releases.md"],
  ])("of %s don't read unchanged contents again when another post changes", async (_, pathOf) => {
    const { id, owner, slug, asked, read } = await watched();
    await newPost(owner, id, { title: "Another" });
    const contents = () => asked.filter((name) => name === "release_contents").length;
    await read(pathOf(slug));
    const before = contents();
    expect(before).toBeGreaterThan(0);
    await setPublic(id, false);
    await setPublic(id, true);
    const questions = asked.length;
    expect((await read(pathOf(slug))).status).toBe(200);
    expect(asked.length).toBeGreaterThan(questions + 1);
    expect(contents()).toBe(before);
  });
  test.each([
    "//evil.example/x.png",
    "/\\evil.example/x.png",
    "/\t/evil.example/x.png",
    "/\n/evil.example/x.png",
    "https://evil.example/x.png",
    "/storage/v1/object/public/../../../Ω.png",
  ])("with the logo %j, /favicon.ico redirects to the initial, never to another origin", async (logo_url) => {
    const { status, headers } = await (await watched({ logo_url })).read("/favicon.ico");
    expect([status, headers.get("location")]).toEqual([301, "/releases/icon.svg"]);
  });
  test.each(["https://xn--a.com:99999", "not an address"])("an invalid website, %j, isn't linked, and every page works", async (origin) => {
    const { slug, read } = await watched({ origin });
    for (const path of [
      "/releases",
      `/releases/${slug}`,
      "/releases/no-such",
      "/releases.json",
      "/releases/rss.xml",
      "/releases/atom.xml",
    ]) {
      const answer = await read(path);
      expect([path, answer.status]).toEqual([path, path.endsWith("no-such") ? 404 : 200]);
      expect(await answer.text()).not.toContain('class="website"');
    }
  });
});

describe("the workspace of a request", () => {
  const addresses = addressesBelow("https://tidings.example");
  const naming = (address: string, headers: Record<string, string> = {}) => addresses.namingOf(new URL(address), new Headers(headers));

  const acme = { subdomain: "acme", by: "host", host: "acme.tidings.example" } as const;
  test.each<[string, Record<string, string>, ReturnType<typeof naming>]>([
    ["http://x/releases", { "x-forwarded-host": "acme.tidings.example" }, acme],
    ["http://x/releases", { "x-forwarded-host": "ACME.tidings.example:8443" }, acme],
    ["http://x/releases?workspace=globex", { "x-forwarded-host": "acme.tidings.example" }, acme],
    [
      "http://x/releases?workspace=Globex",
      { "x-forwarded-host": "tidings.example" },
      { subdomain: "globex", by: "query", host: "tidings.example" },
    ],
    ["http://x/releases", { "x-forwarded-host": "tidings.example" }, null],
    // Hosted Supabase sets X-Forwarded-Host itself, so the front door's Forwarded has priority.
    ["http://x/releases", { forwarded: 'host="acme.tidings.example:443";proto=https', "x-forwarded-host": "globex.tidings.example" }, acme],
    ["http://x/releases", { forwarded: "for=203.0.113.7;host=Acme.tidings.example" }, acme],
    ["http://x/releases", { forwarded: "proto=https", "x-forwarded-host": "acme.tidings.example" }, acme],
    ["https://acme.tidings.example/releases", {}, acme],
    [
      "http://x/releases",
      { "x-forwarded-host": "eviltidings.example" },
      { by: "unknown host", host: "eviltidings.example", orQuery: null },
    ],
    [
      "http://x/releases",
      { forwarded: "host=Changelog.Acme.Example:8443;proto=https" },
      { by: "unknown host", host: "changelog.acme.example", orQuery: null },
    ],
    [
      "http://x/releases?workspace=globex",
      { "x-forwarded-host": "xn--bcher-kva.example" },
      {
        by: "unknown host",
        host: "xn--bcher-kva.example",
        orQuery: { subdomain: "globex", by: "query", host: "xn--bcher-kva.example" },
      },
    ],
    ["http://127.0.0.1:3000/releases", {}, null],
    ["http://[2001:db8::1]/releases", {}, null],
    ["http://stack/releases", {}, null],
    ["http://x/releases", { forwarded: "host=a_b.example" }, null],
    ["http://x/releases", { "x-forwarded-host": "-a.example" }, null],
    ["http://x/releases", { "x-forwarded-host": `${"a".repeat(64)}.example` }, null],
    ["http://x/releases", { "x-forwarded-host": `${"a.".repeat(126)}example` }, null],
  ])("to %s with %j: %j", (address, headers, expected) => {
    expect(naming(address, headers)).toEqual(expected);
  });
});

describe("concurrent equal queries", () => {
  test("are shared, but never with one that started before the request", async () => {
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    const ask = sharing(async (about) => {
      const mine = `${about} ${begun.push(about)}`;
      await new Promise<void>((resolve) => answers.push(resolve));
      return mine;
    }, 5);
    const first = ask("acme");
    const [second, third] = [ask("acme"), ask("acme")];
    const other = ask("globex");
    expect(begun).toEqual(["acme", "globex"]);
    answers.forEach((answer) => answer());
    expect([await first, await other]).toEqual(["acme 1", "globex 2"]);
    await expect.poll(() => begun.length).toBe(3);
    answers.at(-1)!();
    expect([await second, await third]).toEqual(["acme 3", "acme 3"]);
  });
});

test("a request without a workspace doesn't query the database", async () => {
  const sql = (() => {
    throw new Error("was asked");
  }) as unknown as Sql;
  const app = createApp({ publicUrl: "http://localhost", sql, write: () => expect.unreachable(), waitUntil: () => expect.unreachable() });
  for (const subdomain of ["%00", "a.b", "a".repeat(64)]) {
    const headers = { "user-agent": "Mozilla/5.0" };
    const answer = await app.fetch(new Request(`http://localhost/releases/x.gif?workspace=${subdomain}`, { headers }));
    expect(answer.headers.get("content-type")).toBe("image/gif");
  }
});

describe("the cache of rendered pages", () => {
  test("is limited in bytes and evicts the least recently used", async () => {
    const cache = new PageCache(25);
    const page = await rendered("text/plain", "0123456789");
    cache.set("a", "1", page);
    cache.set("b", "1", page);
    expect(cache.get("a", "1")).toBe(page);
    cache.set("c", "1", page);
    expect([cache.get("a", "1"), cache.get("b", "1"), cache.get("c", "1")]).toEqual([page, undefined, page]);
    cache.set("a", "1", page);
    expect(cache.get("c", "1")).toBe(page);
  });
  test("holds the last rendering of each URL, for that version only", async () => {
    const cache = new PageCache(25);
    const [old, young] = await Promise.all(["old", "young"].map((text) => rendered("text/plain", text)));
    cache.set("a", "1", old!);
    cache.set("a", "2", young!);
    expect([cache.get("a", "1"), cache.get("a", "2")]).toEqual([undefined, young]);
  });
});
