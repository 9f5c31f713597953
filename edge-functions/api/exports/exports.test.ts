import { strFromU8, unzipSync } from "fflate";
import { parseJsonFeed } from "feedsmith";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { archived } from "./archive.ts";
import { changelog } from "./changelog.ts";
import { feed } from "./feed.ts";
import type { StoredPost, TakenWorkspace } from "./posts.ts";
import { streamed } from "./streamed.ts";

const workspace: TakenWorkspace = {
  id: "6f1c6a3e-0000-4000-8000-000000000001",
  name: "Acme * Söhne",
  subdomain: "acme",
  open: true,
  logo_url: "/storage/v1/object/public/logos/acme/l.png",
  tags: [
    { key: "big-news", label: "Big News", colour: "red" },
    { key: "odd", label: "Not at all odd", colour: "red" },
  ],
};
const origin = "https://acme.tidings.example";
const now = new Date("2026-06-01T00:00:00Z");
const image = (url: string) => ({ type: "image", data: { file: { url, width: 2, height: 1 }, caption: "" } });
const stored = (name: string) => `/storage/v1/object/public/post-images/acme/${name}`;
const paragraph = (text: string) => ({ type: "paragraph", data: { text } });

let counted = 0;
const post = (fields: Partial<StoredPost> & { blocks?: unknown[] } = {}): StoredPost => {
  counted += 1;
  const { blocks = [paragraph("Words.")], ...rest } = fields;
  return {
    id: `6f1c6a3e-0000-4000-8000-${String(counted).padStart(12, "0")}`,
    external_id: null,
    title: "Faster search",
    slug: `post-${counted}`,
    status: "published",
    tags: [],
    summary: null,
    excerpt: "Words.",
    cover_image: null,
    details: null,
    author_name: null,
    publish_at: null,
    published_at: "2026-01-31T09:00:00.123456+00:00",
    updated_at: "2026-02-01T00:00:00+00:00",
    requests: [],
    content_raw: { time: 0, blocks, version: "2.28.2" },
    ...rest,
  };
};
async function* each(posts: StoredPost[]): AsyncGenerator<StoredPost, void> {
  for (const one of posts) yield await Promise.resolve(one);
}

const picture = (url: string) => Promise.resolve(url.includes("gone") ? null : new TextEncoder().encode(`bytes of ${url}`));
async function unpacked(posts: StoredPost[], more: Partial<Parameters<typeof archived>[0]> = {}) {
  const made = archived({ workspace, posts: each(posts), picture, origin, now, ...more });
  const files = unzipSync(new Uint8Array(await new Response(await streamed(made)).arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}
function read(file: string): { facts: Record<string, unknown>; text: string } {
  const [, above = "", text = ""] = /^---\n([^]*?)\n---\n\n([^]*)\n$/.exec(file) ?? [];
  return { facts: parseYaml(above) as Record<string, unknown>, text };
}

describe("an archive of Markdown", () => {
  test("has a file for each post in any status, with front matter", async () => {
    const files = await unpacked([
      post({
        slug: "faster",
        title: 'Colons: "quotes" # and — more',
        tags: ["big-news", "fix", "docs", "odd", "carried"],
        summary: "In: short",
        author_name: "Ada",
        external_id: "v1.2.0",
        cover_image: { url: stored("c.png"), alt: "A: cover" },
      }),
      post({ slug: "later", status: "scheduled", published_at: null, publish_at: "2027-01-01T00:00:00+00:00", cover_image: "none" }),
      post({ slug: "due", status: "scheduled", published_at: null, publish_at: "2026-05-01T00:00:00+00:00" }),
      post({ slug: "idea", status: "draft", published_at: null, title: "" }),
      post({ slug: "old", status: "archived" }),
    ]);
    const facts = (name: string) => read(files[name]!).facts;
    expect(Object.keys(files).sort()).toEqual([
      "images/c.png",
      "posts/2026-01-31-faster.md",
      "posts/2026-01-31-old.md",
      "posts/2026-05-01-due.md",
      "posts/2027-01-01-later.md",
      "posts/draft-idea.md",
    ]);
    expect(facts("posts/2026-01-31-faster.md")).toEqual({
      title: 'Colons: "quotes" # and — more',
      slug: "faster",
      status: "published",
      date: "2026-01-31T09:00:00.123456+00:00",
      tags: ["Big News", "Fix", "docs", "odd", "carried"],
      summary: "In: short",
      cover: "../images/c.png",
      cover_alt: "A: cover",
      author: "Ada",
      external_id: "v1.2.0",
      updated: "2026-02-01T00:00:00+00:00",
    });
    expect(facts("posts/2027-01-01-later.md")).toMatchObject({
      status: "scheduled",
      publish_at: "2027-01-01T00:00:00+00:00",
      cover: "none",
      external_id: expect.stringMatching(/^tidings:6f1c6a3e-/),
    });
    expect(facts("posts/2027-01-01-later.md")).not.toHaveProperty("date");
    expect(facts("posts/2026-05-01-due.md")).toMatchObject({ status: "published", date: "2026-05-01T00:00:00+00:00" });
    expect(facts("posts/draft-idea.md")).toMatchObject({ status: "draft", title: "" });
    expect(facts("posts/2026-01-31-old.md")).toMatchObject({ status: "archived" });
  });

  test("an image appears once; duplicate names are distinguished and missing ones listed", async () => {
    const asked: string[] = [];
    const files = await unpacked(
      [
        post({ slug: "a", blocks: [image(stored("x.png")), image(stored("x.png")), image(stored("other/X.png"))] }),
        post({ slug: "b", blocks: [image(stored("x.png")), image(stored("gone.png"))], cover_image: { url: stored("x.png"), alt: "" } }),
      ],
      { picture: (url) => (asked.push(url), picture(url)) },
    );
    expect(asked).toEqual([stored("x.png"), stored("other/X.png"), stored("gone.png")]);
    expect(files["images/x.png"]).toBe(`bytes of ${stored("x.png")}`);
    expect(files["images/2-X.png"]).toBe(`bytes of ${stored("other/X.png")}`);
    expect(files["missing.txt"]).toBe(`images/gone.png: not found at ${origin}${stored("gone.png")}\n`);
    expect(read(files["posts/2026-01-31-b.md"]!).text).toContain("../images/gone.png");
  });

  test("what exceeds a zip is listed", async () => {
    const posts = [post({ slug: "a", blocks: [image(stored("x.png"))] }), post({ slug: "b" }), post({ slug: "c" })];
    const files = await unpacked(posts, { limits: { entries: 2, bytes: 4_000_000_000 } });
    expect(Object.keys(files).sort()).toEqual(["images/x.png", "missing.txt", "posts/2026-01-31-a.md"]);
    expect(files["missing.txt"]).toMatch(/^posts\/2026-01-31-b\.md: .+\nposts\/2026-01-31-c\.md: .+\n$/);
    const small = await unpacked(posts, { limits: { entries: 10, bytes: 1_000 }, picture: () => Promise.resolve(new Uint8Array(900)) });
    expect(small["missing.txt"]).toBe(`images/x.png: over the limit of a zip. It's at ${origin}${stored("x.png")}\n`);
    expect(Object.keys(small)).toContain("posts/2026-01-31-c.md");
  });

  test("invalid zip dates don't affect the text", async () => {
    const files = await unpacked([post({ slug: "a", updated_at: "1971-01-01T00:00:00+00:00" })]);
    expect(read(files["posts/2026-01-31-a.md"]!).facts).toMatchObject({ updated: "1971-01-01T00:00:00+00:00" });
  });

  test("a disconnect stops the work", async () => {
    const posts = Array.from({ length: 50 }, () => post());
    let read = 0;
    async function* counting() {
      for (const one of posts) yield await Promise.resolve((read++, one));
    }
    const stream = await streamed(archived({ workspace, posts: counting(), picture, origin, now }));
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    expect(read).toBeLessThan(5);
  });
});

describe("a CHANGELOG.md", () => {
  const text = async (posts: StoredPost[], open = true) =>
    await new Response(await streamed(changelog({ workspace: { ...workspace, open }, posts: each(posts), origin, now }))).text();

  test("has each post below its title and date, lowered headings, and link definitions at the end", async () => {
    const written = await text([
      post({
        slug: "b",
        title: "v2.0 [beta] *now*",
        blocks: [{ type: "header", data: { text: "Added", level: 2 } }, paragraph("A."), image(stored("a.png"))],
      }),
      post({
        slug: "a",
        title: "Faster search",
        published_at: "2025-12-24T23:59:59+00:00",
        blocks: [{ type: "code", data: { code: "## [x]" } }],
      }),
      post({ slug: "a-2", title: "faster  search", published_at: "2025-12-23T00:00:00+00:00", blocks: [] }),
    ]);
    expect(written).toBe(
      [
        "# Changelog\n",
        "What's new at Acme * Söhne.\n",
        "## [v2.0 \\[beta\\] \\*now\\*] - 2026-01-31\n",
        "### Added\n",
        "A.\n",
        `![](${origin}${stored("a.png")})`,
        '<!-- tidings {"file":{"width":2,"height":1}} -->\n',
        "## [Faster search] - 2025-12-24\n",
        "```\n## [x]\n```\n",
        `## [faster  search](${origin}/releases/a-2) - 2025-12-23\n`,
        `[v2.0 \\[beta\\] \\*now\\*]: ${origin}/releases/b`,
        `[Faster search]: ${origin}/releases/a\n`,
      ].join("\n"),
    );
  });
});

describe("a JSON Feed", () => {
  const text = async (posts: StoredPost[], open = true) =>
    await new Response(await streamed(feed({ workspace: { ...workspace, open }, posts: each(posts), origin, now }))).text();

  test("is valid and complete", async () => {
    const one = post({
      slug: "a",
      tags: ["big-news"],
      author_name: "Ada",
      blocks: [paragraph("Words &amp; <b>more</b>"), image(stored("a.png"))],
    });
    const made = JSON.parse(await text([one, post({ slug: "b", cover_image: "none", blocks: [image(stored("a.png"))] })])) as {
      items: object[];
    };
    expect(made).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      title: workspace.name,
      home_page_url: `${origin}/releases`,
      icon: `${origin}/storage/v1/object/public/logos/acme/l.png`,
    });
    expect(made.items[0]).toEqual({
      id: `urn:uuid:${one.id}`,
      url: `${origin}/releases/a`,
      title: "Faster search",
      content_html: expect.stringMatching(/<b>more<\/b>[^]*src="https:\/\/acme\.tidings\.example\/storage\//),
      image: `${origin}${stored("a.png")}`,
      summary: "Words.",
      date_published: "2026-01-31T09:00:00.123Z",
      date_modified: "2026-02-01T00:00:00.000Z",
      authors: [{ name: "Ada" }],
      tags: ["Big News"],
    });
    expect(made.items[1]).not.toHaveProperty("image");
    const parsed = parseJsonFeed(await text([one]));
    expect(parsed.items?.map(({ title, tags }) => [title, tags])).toEqual([["Faster search", ["Big News"]]]);
  });
});
