import { beforeAll, describe, expect, test } from "vitest";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
let acme: { id: string; subdomain: string };
let slug: string;
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
  acme = await openWorkspace(owner);
  const blocks = [
    { type: "paragraph", data: { text: "Easy on the <b>eyes</b>." } },
    { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/y.png", width: 640, height: 360 }, caption: "A cat" } },
    { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/z.png" } } },
  ];
  const post = await newPost(owner, acme.id, { blocks, publishedAt: "2026-01-01T00:00:00Z" });
  await changePost(post.id, { author_name: "Ada Lovelace" });
  slug = post.slug;
});

const origin = (): RegExp => new RegExp(`^http://${acme.subdomain}\\.localhost:\\d+`);
const meta = (page: Document): Record<string, string> =>
  Object.fromEntries(
    [...page.querySelectorAll("meta[property], meta[name]")].map((element) => [
      element.getAttribute("property") ?? element.getAttribute("name")!,
      element.getAttribute("content")!,
    ]),
  );

describe("search engines and link previews", () => {
  test("get a post's type, author, date and first image", async () => {
    const { page } = await readPage(acme.subdomain, `/releases/${slug}`);
    const canonical = page.querySelector("link[rel=canonical]")!.getAttribute("href")!;
    expect(canonical).toMatch(new RegExp(`${origin().source}/releases/${slug}$`));
    const image = expect.stringMatching(new RegExp(`${origin().source}/storage/v1/object/public/post-images/x/y\\.png$`)) as string;
    expect(meta(page)).toMatchObject({
      description: "Easy on the eyes.",
      "og:type": "article",
      "og:title": "Dark mode · Acme",
      "og:description": "Easy on the eyes.",
      "og:url": canonical,
      "og:site_name": "Acme",
      "og:image": image,
      "og:image:width": "640",
      "og:image:height": "360",
      "og:image:alt": "A cat",
      "article:published_time": "2026-01-01T00:00:00.000Z",
      "twitter:card": "summary_large_image",
    });
    expect(JSON.parse(page.querySelector("script[type='application/ld+json']")!.textContent!)).toMatchObject({
      "@context": "https://schema.org",
      "@type": "BlogPosting",
      headline: "Dark mode",
      url: canonical,
      datePublished: "2026-01-01T00:00:00.000Z",
      image,
      author: { "@type": "Person", name: "Ada Lovelace" },
      publisher: { "@type": "Organization", name: "Acme", url: "https://acme.example" },
    });
  });
  test("get the list's publisher", async () => {
    const { page } = await readPage(acme.subdomain, "/releases");
    expect(meta(page)).toMatchObject({ "og:type": "website", "og:title": "Changelog · Acme", "twitter:card": "summary_large_image" });
    expect(JSON.parse(page.querySelector("script[type='application/ld+json']")!.textContent!)).toEqual({
      "@context": "https://schema.org",
      "@type": "Blog",
      name: "Changelog · Acme",
      inLanguage: "en",
      url: page.querySelector("link[rel=canonical]")!.getAttribute("href"),
      publisher: { "@type": "Organization", name: "Acme", url: "https://acme.example" },
    });
  });
  test("find every page by robots.txt and the sitemap", async () => {
    const robots = (await visit(acme.subdomain, "/robots.txt")).body;
    expect(robots).toMatch(/^User-agent: \*\nAllow: \/\n/);
    const sitemap = /^Sitemap: (.*)$/m.exec(robots)![1]!;
    expect(sitemap).toMatch(new RegExp(`${origin().source}/sitemap\\.xml$`));
    const { body } = await visit(acme.subdomain, "/sitemap.xml");
    expect([...body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => new URL(address!).pathname)).toEqual([
      "/releases",
      `/releases/${slug}`,
    ]);
    expect(body).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
  });
});

describe("the icon", () => {
  test("is the workspace's initial, or its logo", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const iconOf = async () => (await readPage(subdomain, "/releases")).page.querySelector("link[rel=icon]")!.getAttribute("href");
    expect(await iconOf()).toBe("/releases/icon.svg");
    const drawn = await visit(subdomain, "/releases/icon.svg");
    expect([drawn.headers["content-type"], drawn.body]).toEqual(["image/svg+xml", expect.stringContaining(">A</text>")]);
    expect((await visit(subdomain, "/favicon.ico")).headers.location).toBe("/releases/icon.svg");
    const logo = "/storage/v1/object/public/logos/x/logo.png";
    await sql`update public.workspaces set logo_url = ${logo} where id = ${id}`;
    expect(await iconOf()).toBe(logo);
    expect((await visit(subdomain, "/favicon.ico")).headers.location).toBe(logo);
    const { page } = await readPage(subdomain, "/releases");
    expect(page.querySelector(".brand img")?.getAttribute("src")).toBe(logo);
  });
});
