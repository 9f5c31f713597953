import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { releaseList } from "#contract/releases.ts";
import { newPerson, type Person } from "./support/people.ts";
import { newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

describe("the public list", () => {
  let acme: { id: string; subdomain: string };
  beforeAll(async () => {
    acme = await openWorkspace(owner);
    for (let n = 1; n <= 23; n++) {
      await newPost(owner, acme.id, {
        title: `Post ${n}`,
        tags: n % 2 === 0 ? ["fix"] : ["docs"],
        publishedAt: new Date(Date.UTC(2026, 0, n)).toISOString(),
      });
    }
  });

  test("shows ten a page, newest first, complete without scripts", async () => {
    const { status, headers, page } = await readPage(acme.subdomain, "/releases");
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect([...page.querySelectorAll(".entry h2")].map((title) => title.textContent)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Post ${23 - index}`),
    );
    expect([...page.querySelectorAll("script")].map((script) => script.type)).not.toContain("");
    expect(page.querySelector(".entry time")?.getAttribute("datetime")).toBe("2026-01-23T00:00:00.000Z");
    expect(page.querySelector(".entry time")?.textContent).toBe("January 23rd, 2026");
  });
  test("links to older and newer pages", async () => {
    const hrefs = async (path: string) => {
      const { page } = await readPage(acme.subdomain, path);
      return ["prev", "next"].map((rel) => page.querySelector(`a[rel=${rel}]`)?.getAttribute("href") ?? null);
    };
    expect(await hrefs("/releases")).toEqual([null, "/releases?page=2"]);
    expect(await hrefs("/releases?page=2")).toEqual(["/releases", "/releases?page=3"]);
    expect(await hrefs("/releases?page=3")).toEqual(["/releases?page=2", null]);
    expect(await hrefs("/releases?tag=docs")).toEqual([null, "/releases?tag=docs&page=2"]);
  });
  test("respects its limit, keeps it in links, and is canonical at the default", async () => {
    const read = async (query: string, host: string | null = acme.subdomain) => {
      const { status, page } = await readPage(host, `/releases?${query}`);
      const titles = [...page.querySelectorAll(".entry h2")].map((title) => title.textContent);
      const hrefs = ["prev", "next", "canonical"].map((rel) => page.querySelector(`[rel=${rel}]`)?.getAttribute("href") ?? null);
      return [status, titles.length, titles[0], hrefs[0], hrefs[1], hrefs[2]?.replace(/^.*\/releases/, "")];
    };
    expect(await read("limit=5")).toEqual([200, 5, "Post 23", null, "/releases?limit=5&page=2", ""]);
    expect(await read("limit=5&page=2")).toEqual([200, 5, "Post 18", "/releases?limit=5", "/releases?limit=5&page=3", ""]);
    expect(await read("limit=5&page=3")).toEqual([200, 5, "Post 13", "/releases?limit=5&page=2", "/releases?limit=5&page=4", "?page=2"]);
    expect(await read("limit=7&page=4")).toEqual([200, 2, "Post 2", "/releases?limit=7&page=3", null, "?page=3"]);
    expect(await read("tag=docs&limit=8")).toEqual([200, 8, "Post 23", null, "/releases?tag=docs&limit=8&page=2", "?tag=docs"]);
    expect(await read("limit=10&page=2")).toEqual([200, 10, "Post 13", "/releases", "/releases?page=3", "?page=2"]);
    expect(await read("limit=50")).toEqual([200, 23, "Post 23", null, null, ""]);
    const named = `workspace=${acme.subdomain}`;
    expect(await read(`${named}&limit=20`, null)).toEqual([200, 20, "Post 23", null, `/releases?${named}&limit=20&page=2`, ""]);
  });
  test.each([
    "limit=0",
    "limit=51",
    "limit=x",
    "limit=",
    "limit=5&page=6",
    "page=4",
    "page=0",
    "page=-1",
    "page=x",
    "page=1e9",
    "page=99999999999",
    "tag=none",
    "tag=",
    `tag=${"x".repeat(50)}`,
    "tag=fix&page=3",
  ])("is a 404 at ?%s", async (query) => {
    expect((await visit(acme.subdomain, `/releases?${query}`)).status).toBe(404);
  });
  test("keeps ?workspace= in every link on the bare host, and has its own host as canonical", async () => {
    const { body } = await visit(null, `/releases?workspace=${acme.subdomain.toUpperCase()}`);
    const { document } = new JSDOM(body).window;
    const own = [...document.querySelectorAll("a, link[rel=alternate]")]
      .map((link) => link.getAttribute("href")!)
      .filter((href) => href.startsWith("/"));
    expect(own.length).toBeGreaterThan(20);
    for (const href of own) expect(href).toContain(`workspace=${acme.subdomain}`);
    expect(document.querySelector("link[rel=canonical]")?.getAttribute("href")).toMatch(
      new RegExp(`^http://${acme.subdomain}\\.localhost:\\d+/releases$`),
    );
  });
  test("has JSON in the contract's shape", async () => {
    const list = releaseList.parse(JSON.parse((await visit(acme.subdomain, "/releases.json?page=3")).body));
    expect(list.releases.map(({ title }) => title)).toEqual(["Post 3", "Post 2", "Post 1"]);
    expect(list.pagination).toEqual({ page: 3, pages: 3, total: 23 });
    expect(list.releases[0]?.url).toContain(`://${acme.subdomain}.localhost:`);
  });
});
