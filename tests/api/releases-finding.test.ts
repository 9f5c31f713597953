import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { releaseList } from "#contract/releases.ts";
import { newPerson, newWorkspace, type Person, sql } from "./support/people.ts";
import { newPost, setPublic, visit } from "./support/public.ts";

let owner: Person;
let acme: { id: string; subdomain: string };
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
  acme = await newWorkspace(owner);
  await setPublic(acme.id, true);
  const at = (month: number, day: number): string => new Date(Date.UTC(2026, month, day)).toISOString();
  const text = (words: string) => [{ type: "paragraph", data: { text: words } }];
  await newPost(owner, acme.id, {
    title: "Faster exports",
    blocks: text("The Überflieger has <b>landed</b>."),
    publishedAt: at(0, 1),
    tags: ["fix"],
  });
  await newPost(owner, acme.id, { title: "Dark mode", blocks: text("Easy on the eyes."), publishedAt: at(0, 31), tags: ["mobile-app"] });
  await newPost(owner, acme.id, { title: "Webhooks", blocks: text("Hear of exports."), publishedAt: at(1, 1), tags: ["fix"] });
  await newPost(owner, acme.id, { title: "Secret plans", state: "draft", tags: ["secret-tag"] });
  await sql`insert into public.tags (workspace_id, label, colour) values (${acme.id}, 'Mobile-App', 'purple'), (${acme.id}, 'Secret-Tag', 'red')`;
});

const page = async (path: string, subdomain: string | null = acme.subdomain): Promise<Document> =>
  new JSDOM((await visit(subdomain, path)).body).window.document;
const titles = (document: Document): (string | null)[] => [...document.querySelectorAll(".entry h2")].map(({ textContent }) => textContent);

describe("public search", () => {
  test.each<[string, string[]]>([
    ["exports", ["Webhooks", "Faster exports"]],
    ["EXPORTS", ["Webhooks", "Faster exports"]],
    ["uberflieger", ["Faster exports"]],
    ["  dark   mode ", ["Dark mode"]],
    ["landed", ["Faster exports"]],
    ["plans", []],
    ["%", []],
    ["' or 1=1 --", []],
  ])("for %j finds %j", async (term, expected) => {
    const document = await page(`/releases?q=${encodeURIComponent(term)}`);
    expect(titles(document)).toEqual(expected);
    expect(document.querySelector<HTMLInputElement>("input[name=q]")?.value).toBe(term.trim());
    const { releases } = releaseList.parse(JSON.parse((await visit(acme.subdomain, `/releases.json?q=${encodeURIComponent(term)}`)).body));
    expect(releases.map(({ title }) => title)).toEqual(expected);
  });
  test("shows the number of results or none, and is noindex", async () => {
    expect((await page("/releases?q=exports")).querySelector("[role=status]")?.textContent).toContain("2 updates with “exports”");
    const nothing = await page("/releases?q=zebra");
    expect(nothing.querySelector("main h2")?.textContent).toBe("Nothing found");
    expect(nothing.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");
  });
  test("for nothing is the whole list", async () => {
    expect(titles(await page("/releases?q="))).toHaveLength(3);
  });
  test("keeps the workspace on the bare host", async () => {
    const document = await page(`/releases?workspace=${acme.subdomain}`, null);
    expect(document.querySelector<HTMLInputElement>("form input[name=workspace]")?.value).toBe(acme.subdomain);
  });
  test.each([
    "q=a&tag=fix",
    "tag=fix&month=2026-01",
    "month=2026-13",
    "month=0001-01",
    "month=2025-01",
    `q=${"x".repeat(101)}`,
    "q=%00ab",
    "q=ab%00",
    "tag=%00",
    "tag=fix%00",
    "month=2026-01%00",
  ])("?%s is a 404", async (query) => {
    expect((await visit(acme.subdomain, `/releases?${query}`)).status).toBe(404);
  });
  test.each(["q=%00ab", "tag=%00", "tag=fix%00", "month=2026-01%00", `q=${"x".repeat(101)}`])("?%s is a 404 in JSON too", async (query) => {
    const { status, body } = await visit(acme.subdomain, `/releases.json?${query}`);
    expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([404, "not_found"]);
  });
});

describe("months", () => {
  test("with releases are listed, latest first, and each shows its own", async () => {
    const document = await page("/releases");
    const links = [...document.querySelectorAll<HTMLAnchorElement>(".months a")];
    expect(links.map(({ textContent }) => textContent)).toEqual(["February 2026", "January 2026"]);
    const january = await page(links[1]!.getAttribute("href")!);
    expect(titles(january)).toEqual(["Dark mode", "Faster exports"]);
    expect(january.querySelector(".months [aria-current=page]")?.textContent).toBe("January 2026");
    expect(january.querySelector("link[rel=canonical]")?.getAttribute("href")).toMatch(/\/releases\?month=2026-01$/);
  });
});

describe("tags", () => {
  test("have the workspace's label and colour, and tags of drafts only are hidden", async () => {
    const document = await page("/releases");
    const shown = [...document.querySelectorAll<HTMLAnchorElement>("nav[aria-label=Tags] a")];
    expect(shown.map(({ textContent, className }) => [textContent, className])).toEqual([
      ["Fix", "tag tag-orange"],
      ["Mobile-App", "tag tag-purple"],
    ]);
    expect(document.documentElement.outerHTML).not.toContain("ecret");
  });
});

test("a release links to its neighbours", async () => {
  const onward = async (slug: string) => {
    const document = await page(`/releases/${slug}`);
    return ["prev", "next"].map((rel) => document.querySelector(`a[rel=${rel}]`)?.getAttribute("href") ?? null);
  };
  expect(await onward("faster-exports")).toEqual([null, "/releases/dark-mode"]);
  expect(await onward("dark-mode")).toEqual(["/releases/faster-exports", "/releases/webhooks"]);
  expect(await onward("webhooks")).toEqual(["/releases/dark-mode", null]);
});

test("the JSON list respects its limit", async () => {
  const list = releaseList.parse(JSON.parse((await visit(acme.subdomain, "/releases.json?limit=2&page=2")).body));
  expect([list.releases.length, list.pagination]).toEqual([1, { page: 2, pages: 2, total: 3 }]);
  expect((await visit(acme.subdomain, "/releases.json?limit=51")).status).toBe(404);
});
