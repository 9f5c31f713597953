import { parseAtomFeed, parseFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, test } from "vitest";
import { releaseAnswer, releaseList } from "#contract/releases.ts";
import { type Entry, feedAt, formats } from "./support/feeds.ts";
import { newPerson, type Person, sql } from "./support/people.ts";
import { changePost, newPost, openWorkspace, readPage, visit } from "./support/public.ts";

let owner: Person;
let acme: { id: string; subdomain: string };
beforeAll(async () => {
  owner = await newPerson("Ada Lovelace");
  acme = await openWorkspace(owner);
  await sql`insert into public.tags (workspace_id, label, colour) values (${acme.id}, 'Über & Co', 'purple')`;
  const blocks = [
    { type: "paragraph", data: { text: "All &amp; <b>everything</b> for “you” 🎉" } },
    { type: "image", data: { file: { url: "/storage/v1/object/public/post-images/x/y.png" }, caption: "A cat" } },
    { type: "code", data: { code: "a < b && ]]>" } },
  ];
  for (let n = 1; n <= 23; n++) {
    const { id } = await newPost(owner, acme.id, {
      title: n === 23 ? "Tom & Jerry's <mode> 🎉" : `Post ${n}`,
      tags: n % 2 === 0 ? ["fix"] : ["docs", "über-&-co"],
      blocks,
      publishedAt: new Date(Date.UTC(2026, 0, n, 9)).toISOString(),
    });
    if (n % 3 > 0) await changePost(id, { author_name: "Ada Lovelace" });
  }
});

const all = async (query = ""): Promise<Entry[]> => {
  const { releases } = releaseList.parse(JSON.parse((await visit(acme.subdomain, `/releases.json?limit=20${query}`)).body));
  return releases.map((release) => ({
    id: `urn:uuid:${release.id}`,
    title: release.title,
    url: release.url,
    published: release.published_at,
    author: release.author_name,
    summary: release.excerpt,
  }));
};

describe.each(formats)("the $name feed", ({ path, name }) => {
  test("is valid for an independent reader", async () => {
    const { body, headers } = await visit(acme.subdomain, path);
    expect(parseFeed(body).format).toBe(name);
    expect(headers["content-type"]).toBe(formats.find((format) => format.name === name)!.type);
  });
  test("has the newest twenty posts, like the page", async () => {
    const { entries } = await feedAt(acme.subdomain, path);
    expect(entries).toHaveLength(20);
    expect(entries.map(({ content: _content, updated: _updated, tags: _tags, ...entry }) => entry)).toEqual(
      (await all()).map((entry) => ({
        ...entry,
        url: `${entry.url}?via=feed`,
        // RSS has no fractions of a second.
        published: new Date(entry.published).toISOString(),
      })),
    );
    expect(entries[0]?.title).toBe("Tom & Jerry's <mode> 🎉");
    expect([entries[0]?.author, entries[2]?.author]).toEqual(["Ada Lovelace", null]);
    expect(entries[0]?.tags).toEqual(["Documentation", "Über & Co"]);
  });
  test("has each post's full content, with absolute URLs", async () => {
    const { entries } = await feedAt(acme.subdomain, path);
    const slug = new URL(entries[0]!.url).pathname.split("/").at(-1)!;
    const { release } = releaseAnswer.parse(JSON.parse((await visit(acme.subdomain, `/releases/${slug}.json`)).body));
    expect(entries[0]!.content).toBe(release.content_html);
    const text = (html: string) => new JSDOM(html).window.document.body.textContent!.replace(/\s+/g, " ").trim();
    const { page } = await readPage(acme.subdomain, `/releases/${slug}`);
    expect(text(entries[0]!.content)).toBe(text(page.querySelector(".body")!.innerHTML));
    const addresses = [...new JSDOM(entries[0]!.content).window.document.querySelectorAll("[src], [href]")].map(
      (element) => element.getAttribute("src") ?? element.getAttribute("href")!,
    );
    expect(addresses).toEqual([expect.stringMatching(new RegExp(`^http://${acme.subdomain}\\.localhost:\\d+/storage/v1/`))]);
  });
  test("of one tag has that tag's posts, and its own title and URLs", async () => {
    const [whole, tagged] = [
      await feedAt(acme.subdomain, path),
      await feedAt(acme.subdomain, `${path}?tag=${encodeURIComponent("über-&-co")}`),
    ];
    expect(tagged.entries.map(({ title }) => title)).toEqual(
      (await all(`&tag=${encodeURIComponent("über-&-co")}`)).map(({ title }) => title),
    );
    expect(tagged.entries.length).toBe(12);
    expect([tagged.title, new URL(tagged.self).searchParams.get("tag"), new URL(tagged.home).searchParams.get("tag")]).toEqual([
      "Acme: Über & Co",
      "über-&-co",
      "über-&-co",
    ]);
    expect([whole.title, new URL(whole.self).pathname, new URL(whole.home).pathname]).toEqual(["Acme", path, "/releases"]);
    if (whole.id !== null) expect(tagged.id).not.toBe(whole.id);
    for (const tag of ["never", "", "%00", "fix%00", "x".repeat(50)])
      expect([tag, (await visit(acme.subdomain, `${path}?tag=${tag}`)).status]).toEqual([tag, 404]);
  });
  test("of a workspace without posts is valid and empty", async () => {
    const { subdomain } = await openWorkspace(owner);
    expect((await feedAt(subdomain, path)).entries).toEqual([]);
  });
  test("is linked in the head of the page with the same posts", async () => {
    for (const query of ["", "?tag=fix"]) {
      const { page } = await readPage(acme.subdomain, `/releases${query}`);
      const found = [...page.querySelectorAll("link[rel=alternate]")].map((link) => link.getAttribute("href"));
      expect(found).toContain(path + query);
    }
  });
});

describe("hostile text", () => {
  const broken = "A\u0001B\u001b[31m \u000b\ufffe\uffff";
  const whole = "AB[31m";

  test("leaves every XML document well-formed and the JSON feed valid", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const post = await newPost(owner, id);
    await changePost(post.id, { title: broken, excerpt: broken, author_name: broken, tags: sql.array([broken]) as never });
    await sql`update public.workspaces set name = ${broken} where id = ${id}`;
    const ofTag = `?tag=${encodeURIComponent(broken)}`;
    const { DOMParser } = new JSDOM("").window;
    for (const path of ["/releases/rss.xml", "/releases/atom.xml", `/releases/atom.xml${ofTag}`, "/sitemap.xml", "/releases/icon.svg"]) {
      const { status, body } = await visit(subdomain, path);
      const document = new DOMParser().parseFromString(body, "text/xml");
      expect([path, status, document.querySelector("parsererror")?.textContent]).toEqual([path, 200, undefined]);
    }
    for (const { path } of formats) {
      const { entries } = await feedAt(subdomain, path + ofTag);
      const [{ title, summary, author, tags } = expect.fail("no entry")] = entries;
      const read = path.endsWith(".json") ? broken : whole;
      expect([title, summary, author, ...tags].map((text) => text?.trim())).toEqual(Array(4).fill(read));
    }
  });

  test("a summary about HTML is text in every format, also where readers parse it as HTML", async () => {
    const { id, subdomain } = await openWorkspace(owner);
    const name = "<img src=x onerror=alert(2)>";
    const words = "Use the <img src=x onerror=alert(1)> tag &amp; others";
    const post = await newPost(owner, id);
    await changePost(post.id, { excerpt: words });
    await sql`update public.workspaces set name = ${name} where id = ${id}`;
    const { description, items } = parseRssFeed((await visit(subdomain, "/releases/rss.xml")).body);
    for (const [html, text] of [
      [items![0]!.description!, words],
      [description!, `What's new at ${name}.`],
    ] as const) {
      const { body } = new JSDOM(html).window.document;
      expect([body.childElementCount, body.textContent]).toEqual([0, text]);
    }
    for (const { path } of formats) expect((await feedAt(subdomain, path)).entries[0]!.summary).toBe(words);
  });
});

test("each format follows its specification", async () => {
  const [rss, atom, json] = await Promise.all(formats.map(async ({ path }) => (await visit(acme.subdomain, path)).body));
  const { generator: _none, ...channel } = parseRssFeed(rss!);
  expect(channel).toMatchObject({ title: "Acme", description: "What&#39;s new at Acme.", language: "en" });
  expect(channel.atom?.links).toEqual([{ href: expect.stringMatching(/\/releases\/rss\.xml$/), rel: "self", type: "application/rss+xml" }]);
  expect(channel.items?.every(({ guid }) => guid?.isPermaLink === false)).toBe(true);
  const feed = parseAtomFeed(atom!);
  // RFC 4287: id, title and date for the feed and each entry, and an author.
  for (const one of [feed, ...(feed.entries ?? [])]) expect([one.id, one.title?.value, one.updated]).not.toContain(undefined);
  expect(feed.authors).toEqual([{ name: "Acme" }]);
  expect(new Set(feed.entries?.map(({ id }) => id)).size).toBe(20);
  expect(parseJsonFeed(json!)).toMatchObject({ title: "Acme", language: "en" });
  expect((JSON.parse(json!) as { version: string }).version).toBe("https://jsonfeed.org/version/1.1");
});

test.each([
  ["/feed", "/releases/rss.xml"],
  ["/rss.xml", "/releases/rss.xml"],
  ["/feed.xml", "/releases/rss.xml"],
  ["/atom.xml", "/releases/atom.xml"],
  ["/feed.json", "/releases.feed.json"],
])("%s redirects to %s", async (alias, feed) => {
  const { subdomain } = await openWorkspace(owner);
  const { status, headers } = await visit(subdomain, alias);
  expect([status, headers.location]).toEqual([301, feed]);
});

test("every origin can read JSON, feeds and Markdown, but no page", async () => {
  const { subdomain, id } = await openWorkspace(owner);
  const { slug } = await newPost(owner, id);
  const open = [
    "/releases.json",
    "/releases.feed.json",
    "/releases/rss.xml",
    "/releases.md",
    `/releases/${slug}.json`,
    `/releases/${slug}.md`,
    ...["/feed.json", "/rss.xml", "/releases/nope.json", "/releases.json?limit=100"], // redirects and errors too
  ];
  const allowed = async (path: string) =>
    (await visit(subdomain, path, { headers: { origin: "https://elsewhere.example" } })).headers["access-control-allow-origin"];
  for (const path of open) expect([path, await allowed(path)]).toEqual([path, "*"]);
  const preflight = await visit(subdomain, "/releases.json", { method: "OPTIONS", headers: { origin: "https://elsewhere.example" } });
  expect([preflight.status, preflight.headers]).toEqual([204, expect.objectContaining({ "access-control-allow-headers": "*" })]);
  for (const path of ["/releases", `/releases/${slug}`]) expect([path, await allowed(path)]).toEqual([path, undefined]);
});
