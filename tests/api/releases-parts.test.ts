import { afterAll, describe, expect, inject, test } from "vitest";
import { createApp } from "../../edge-functions/releases/app.tsx";
import { InFlight } from "../../edge-functions/releases/in-flight.ts";
import { PageCache, rendered } from "../../edge-functions/releases/page-cache.ts";
import { connect } from "../../edge-functions/releases/queries/database.ts";
import { sharing } from "../../edge-functions/releases/queries/sharing.ts";
import { addressesBelow } from "../../edge-functions/releases/site.ts";
import { freePort } from "../support/stack.ts";
import { newPerson, newWorkspace } from "./support/people.ts";
import { newPost, setPublic, visit } from "./support/public.ts";

const { ownerUrl } = inject("stack");

describe("the public pages' connection", () => {
  const sql = connect(ownerUrl);
  afterAll(() => sql.end());

  test("is one of role anon", async () => {
    const [row] = await sql<{ current_user: string }[]>`select current_user`;
    expect(row?.current_user).toBe("anon");
  });
  test.each(["public.posts", "public.workspaces", "public.members", "private.visible_posts", "auth.users"])(
    "may not read %s",
    async (table) => {
      await expect(sql.unsafe(`select * from ${table} limit 1`)).rejects.toMatchObject({ code: "42501" });
    },
  );
});

describe("while the database is away", () => {
  test("pages and data say so, and when to come back", async () => {
    const lines: string[] = [];
    const sql = connect(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`);
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: (line) => lines.push(line.event) });
    const page = await app.request("https://acme.tidings.example/releases");
    expect([page.status, page.headers.get("retry-after"), page.headers.get("cache-control")]).toEqual([503, "1", "no-store"]);
    expect(await page.text()).toContain("Please try again in a moment.");
    expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
    const data = await app.request("https://tidings.example/releases/widget.json?workspace=acme");
    expect([data.status, ((await data.json()) as { code: string }).code]).toEqual([503, "unavailable"]);
    expect(lines).toEqual(["fault", "request", "fault", "request"]);
    await sql.end();
  });
  test("a fault of ours tells nothing of itself", async () => {
    const sql = (() => Promise.reject(new Error("secret detail"))) as unknown as ReturnType<typeof connect>;
    const app = createApp({ publicUrl: "https://tidings.example", sql, write: () => {} });
    const page = await app.request("https://acme.tidings.example/releases");
    expect(page.status).toBe(500);
    expect(await page.text()).not.toContain("secret");
  });
});

describe("as deployed behind the front door of a hosted installation", () => {
  test("every path of the function is also found below /releases/_", async () => {
    const owner = await newPerson();
    const { id, subdomain } = await newWorkspace(owner);
    await setPublic(id, true);
    const { slug } = await newPost(owner, id);
    for (const path of ["/releases", `/releases/${slug}`, "/releases.json", "/robots.txt", "/sitemap.xml"]) {
      const [direct, below] = [await visit(subdomain, path), await visit(subdomain, `/releases/_${path}`)];
      expect([path, below.status, below.body]).toEqual([path, 200, direct.body]);
    }
  });
});

describe("which workspace is meant", () => {
  const addresses = addressesBelow("https://tidings.example");
  const naming = (address: string, headers: Record<string, string> = {}) => addresses.namingOf(new URL(address), new Headers(headers));

  test.each<[string, Record<string, string>, ReturnType<typeof naming>]>([
    ["http://x/releases", { "x-forwarded-host": "acme.tidings.example" }, { subdomain: "acme", by: "host" }],
    ["http://x/releases", { "x-forwarded-host": "ACME.tidings.example:8443" }, { subdomain: "acme", by: "host" }],
    ["http://x/releases?workspace=globex", { "x-forwarded-host": "acme.tidings.example" }, { subdomain: "acme", by: "host" }],
    ["http://x/releases?workspace=Globex", { "x-forwarded-host": "tidings.example" }, { subdomain: "globex", by: "query" }],
    ["http://x/releases", { "x-forwarded-host": "tidings.example" }, null],
    // Hosted Supabase writes X-Forwarded-Host itself: what the front door says in Forwarded comes first.
    [
      "http://x/releases",
      { forwarded: 'host="acme.tidings.example:443";proto=https', "x-forwarded-host": "globex.tidings.example" },
      { subdomain: "acme", by: "host" },
    ],
    ["http://x/releases", { forwarded: "for=203.0.113.7;host=Acme.tidings.example" }, { subdomain: "acme", by: "host" }],
    ["http://x/releases", { forwarded: "proto=https", "x-forwarded-host": "acme.tidings.example" }, { subdomain: "acme", by: "host" }],
    ["http://x/releases", { "x-forwarded-host": "eviltidings.example" }, null],
    ["https://acme.tidings.example/releases", {}, { subdomain: "acme", by: "host" }],
  ])("%s with %j: %j", (address, headers, expected) => {
    expect(naming(address, headers)).toEqual(expected);
  });
  test("links keep the way the reader came by; absolute ones name the workspace's own host", () => {
    const site = addresses.siteOf({ subdomain: "acme", by: "query" });
    expect(site.path("/releases", { tag: "a b&c", page: null })).toBe("/releases?workspace=acme&tag=a+b%26c");
    expect(site.absolute("/releases/x")).toBe("https://acme.tidings.example/releases/x");
    expect([site.file("/storage/x.png"), site.file("https://cdn.example/x.png")]).toEqual([
      "https://acme.tidings.example/storage/x.png",
      "https://cdn.example/x.png",
    ]);
  });
});

describe("equal questions that are asked at the same time", () => {
  test("share one, and nobody hears an answer that was begun before he asked", async () => {
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
  test("a question that failed is asked anew", async () => {
    let asked = 0;
    const ask = sharing(async () => (++asked === 1 ? Promise.reject(new Error("away")) : Promise.resolve("here")), 1);
    const [first, second] = await Promise.allSettled([ask("acme"), ask("acme")]);
    expect([first.status, second.status === "fulfilled" && second.value]).toEqual(["rejected", "here"]);
  });
});

test("what many want at once is made once, and again for those who come later", async () => {
  const flight = new InFlight<number>();
  let made = 0;
  const make = () => flight.share("page", async () => ++made);
  expect([await Promise.all([make(), make(), make()]), await make()]).toEqual([[1, 1, 1], 2]);
  const fail = () => flight.share("page", () => Promise.reject(new Error("away")));
  expect((await Promise.allSettled([fail(), fail()])).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await make()).toBe(3);
});

describe("the cache of rendered pages", () => {
  test("holds so many bytes and lets go what was not asked for longest", async () => {
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
  test("holds of each address what was rendered last, and gives it for that version only", async () => {
    const cache = new PageCache(25);
    const [old, young] = await Promise.all(["old", "young"].map((text) => rendered("text/plain", text)));
    cache.set("a", "1", old!);
    cache.set("a", "2", young!);
    expect([cache.get("a", "1"), cache.get("a", "2")]).toEqual([undefined, young]);
  });
  test("the tag of an answer follows from its bytes", async () => {
    const [one, same, other] = await Promise.all(["a", "a", "b"].map((text) => rendered("text/plain", text)));
    expect(one?.etag).toBe(same?.etag);
    expect(one?.etag).not.toBe(other?.etag);
    expect(one?.etag).toMatch(/^"[\w+/]{20}"$/);
  });
});
