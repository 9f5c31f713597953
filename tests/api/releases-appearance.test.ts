import { beforeAll, describe, expect, test } from "vitest";
import { fontFiles } from "#contract/font-files.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { newPost, openWorkspace, readPage, setPublic, visit } from "./support/public.ts";

let owner: Person;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
});

interface Pictures {
  logo_dark_url?: string;
  favicon_url?: string;
}
async function look(workspaceId: string, settings: object, { logo_dark_url, favicon_url }: Pictures = {}): Promise<void> {
  const row = {
    workspace_id: workspaceId,
    settings: settings as never,
    logo_dark_url: logo_dark_url ?? null,
    favicon_url: favicon_url ?? null,
  };
  await sql`insert into public.appearances ${sql({ ...row, settings: sql.json(settings as never) as never })}
    on conflict (workspace_id) do update set settings = excluded.settings, logo_dark_url = excluded.logo_dark_url, favicon_url = excluded.favicon_url`;
}
const text = (words: string) => ({ type: "paragraph", data: { text: words } });
const heading = (words: string) => ({ type: "header", data: { text: words, level: 2 } });
const picture = (id: string, name: string): string => `/storage/v1/object/public/logos/${id}/${name}.png`;
const day = (number: number): string => new Date(Date.UTC(2026, 0, number, 9)).toISOString();

describe("a page's appearance", () => {
  test("changes with its workspace's settings only", async () => {
    const [{ id, subdomain }, other] = [await openWorkspace(owner), await openWorkspace(owner)];
    const [before, elsewhere] = [await visit(subdomain, "/releases"), await visit(other.subdomain, "/releases")];
    await look(id, { accent: "#7c3aed", theme: "dark", font: "geist", locale: "de", footer: "© Acme", branding: false });
    const { body, page, headers } = await readPage(subdomain, "/releases");
    expect(body).not.toBe(before.body);
    expect((await visit(other.subdomain, "/releases")).body).toBe(elsewhere.body);
    expect(page.documentElement.lang).toBe("de");
    expect(page.querySelector("style")!.textContent).toContain("color-scheme: dark;");
    expect(page.querySelector("link[rel=preload][as=font]")?.getAttribute("href")).toBe(fontFiles.geist[0]!.url);
    expect(page.querySelector(".foot")?.textContent).toContain("© Acme");
    expect(page.querySelector(".foot")?.textContent).not.toContain("Tidings");
    expect(headers["x-page-policy"]).toBe(headers["content-security-policy"]);
    expect(headers["content-security-policy"]).not.toBe(before.headers["content-security-policy"]);
  });
  test("has the links beside its name, and only there", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    await look(id, {
      links: [
        { label: 'Docs "&<b>', url: "https://docs.example/?a=1&b=2" },
        { label: "Ask", url: "mailto:a@b.example" },
      ],
    });
    const { page } = await readPage(subdomain, "/releases");
    const links = [...page.querySelectorAll(".links a")].map((link) => [link.textContent, link.getAttribute("href")]);
    expect(links).toEqual([
      ['Docs "&<b>', "https://docs.example/?a=1&b=2"],
      ["Ask", "mailto:a@b.example"],
    ]);
  });
  test("has its uploaded images", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const [light, dark, icon] = [picture(id, "light"), picture(id, "dark"), picture(id, "icon")];
    await sql`update public.workspaces set logo_url = ${light} where id = ${id}`;
    await look(id, {}, { logo_dark_url: dark, favicon_url: icon });
    const { page } = await readPage(subdomain, "/releases");
    expect(page.querySelector(".brand source")?.getAttribute("srcset")).toBe(dark);
    expect(page.querySelector(".brand source")?.getAttribute("media")).toBe("(prefers-color-scheme: dark)");
    expect(page.querySelector(".brand img")?.getAttribute("src")).toBe(light);
    expect(page.querySelector("link[rel=icon]")?.getAttribute("href")).toBe(icon);
    expect((await visit(subdomain, "/favicon.ico")).headers.location).toBe(icon);
    await look(id, { theme: "dark" }, { logo_dark_url: dark });
    const forced = (await readPage(subdomain, "/releases")).page;
    expect(forced.querySelector(".brand img")?.getAttribute("src")).toBe(dark);
    expect(forced.querySelector(".brand source")).toBe(null);
  });
  test("includes its typeface, cached permanently and readable by other origins", async () => {
    const { subdomain } = await openWorkspace(owner);
    for (const host of [subdomain, null]) {
      const { status, headers } = await visit(host, fontFiles.inter[0]!.url);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "font/woff2",
        "cache-control": "public, max-age=31536000, immutable",
        "access-control-allow-origin": "*",
      });
    }
    expect((await visit(subdomain, "/fonts/../../package.json")).status).toBe(404);
    expect((await visit(subdomain, "/fonts/inter-latin-normal-0000000000000000.woff2")).status).toBe(404);
  });
});

describe("the public list", () => {
  test("shows whole posts, with links to headings on the post's page, and unique ids", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const blocks = [text("One."), heading("Fixed"), text("Two."), heading("Fixed")];
    for (const number of [1, 2]) await newPost(owner, id, { title: `Post ${number}`, blocks, publishedAt: day(number) });
    const { page } = await readPage(subdomain, "/releases");
    expect([...page.querySelectorAll(".entry .body")].map((body) => body.querySelectorAll("p").length)).toEqual([2, 2]);
    expect([...page.querySelectorAll(".anchor")].map((link) => link.getAttribute("href"))).toEqual(
      ["post-2", "post-1"].flatMap((slug) => [`/releases/${slug}#fixed`, `/releases/${slug}#fixed-2`]),
    );
    const ids = [...page.querySelectorAll("[id]")].map((one) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
    const post = (await readPage(subdomain, "/releases/post-2")).page;
    expect(post.querySelector("#fixed-2")?.textContent).toBe("Fixed");
  });
});

describe("a member reading the page", () => {
  const cookie = (subdomain: string) => ({ cookie: `tc-member=other.${subdomain}` });

  test("gets an edit link, in a response that isn't cached", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { id: post, slug } = await newPost(owner, id);
    for (const path of ["/releases", `/releases/${slug}`]) {
      const { page, headers } = await readPage(subdomain, path, cookie(subdomain));
      expect(page.querySelector(".edit a")?.getAttribute("href")).toMatch(
        new RegExp(`^http://localhost:\\d+/workspace/${id}/changelog/edit/${post}$`),
      );
      expect(headers["cache-control"]).toBe("private, no-store");
      expect(headers["cache-tag"]).toBe(undefined);
    }
  });
  test("doesn't change it for strangers, before or after", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id);
    const before = await visit(subdomain, `/releases/${slug}`);
    const written = await visit(subdomain, `/releases/${slug}`, { headers: cookie(subdomain) });
    const after = await visit(subdomain, `/releases/${slug}`);
    expect(after.body).toBe(before.body);
    expect(after.headers["cache-control"]).toBe(before.headers["cache-control"]);
    expect(before.body).not.toContain("Edit this post");
    expect(written.headers["etag"]).not.toBe(before.headers["etag"]);
    const stale = { ...cookie(subdomain), "if-none-match": before.headers["etag"]! };
    expect((await visit(subdomain, `/releases/${slug}`, { headers: stale })).status).toBe(200);
  });
  test("of another workspace is a stranger, and a forged marker opens nothing closed", async () => {
    const [{ id, subdomain }, other] = [await openWorkspace(owner), await openWorkspace(owner)];
    const { slug } = await newPost(owner, id);
    expect((await visit(subdomain, `/releases/${slug}`, { headers: cookie(other.subdomain) })).body).not.toContain("Edit this post");
    const { slug: draft } = await newPost(owner, id, { title: "Secret", state: "draft" });
    expect((await visit(subdomain, `/releases/${draft}`, { headers: cookie(subdomain) })).status).toBe(404);
    await setPublic(id, false);
    expect((await visit(subdomain, `/releases/${slug}`, { headers: cookie(subdomain) })).status).toBe(404);
  });
  test("from a page of the site gets the same post, with its typeface preloaded", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const { slug } = await newPost(owner, id);
    const { page, headers } = await readPage(subdomain, `/releases/${slug}`, { "sec-fetch-site": "same-origin" });
    expect(page.documentElement.className).toBe("near");
    expect(page.querySelector("link[as=font]")?.getAttribute("media")).toBe(null);
    const first = await readPage(subdomain, `/releases/${slug}`);
    expect(first.page.documentElement.className).toBe("");
    expect(first.page.querySelector("link[as=font]")?.getAttribute("media")).toBe("(min-width: 48rem)");
    expect(first.page.querySelector("article")?.outerHTML).toBe(page.querySelector("article")?.outerHTML);
    expect(headers["cache-control"]).toBe(first.headers["cache-control"]);
  });
});
