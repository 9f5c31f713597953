import { test as check } from "../../../tests/support/properties.ts";
import { describe, expect, test } from "vitest";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { changelog as changelogAdapter } from "#importers/adapters/changelog.ts";
import type { ReadSource, SourceFile } from "#importers/entry.ts";
import { feed as feedAdapter } from "#importers/adapters/feed.ts";
import { pathOfFile, withImages } from "#importers/images.ts";
import { markdown } from "#importers/adapters/markdown.ts";
import { prepare } from "#importers/to-post.ts";
import { posts as anyPosts } from "../../../tests/support/any-posts.ts";
import { archived } from "./archive.ts";
import { changelog } from "./changelog.ts";
import { feed } from "./feed.ts";
import type { StoredPost, TakenWorkspace } from "./posts.ts";

const workspace: TakenWorkspace = {
  id: "6f1c6a3e-0000-4000-8000-000000000001",
  name: "Acme",
  subdomain: "acme",
  open: true,
  logo_url: null,
  tags: [{ key: "big-news", label: "Big News", colour: "red" }],
};
const origin = "https://acme.tidings.example";
const now = new Date("2026-06-01T00:00:00Z");
const stored = (name: string): string => `/storage/v1/object/public/post-images/acme/${name}.png`;

const post = (fields: Partial<StoredPost>, blocks: unknown[] = [{ type: "paragraph", data: { text: "Words." } }]): StoredPost => ({
  id: "6f1c6a3e-0000-4000-8000-0000000000aa",
  external_id: null,
  title: "Faster search",
  slug: "faster-search",
  status: "published",
  tags: [],
  summary: null,
  excerpt: "",
  cover_image: null,
  details: null,
  author_name: null,
  publish_at: null,
  published_at: "2026-01-31T09:00:00.123+00:00",
  updated_at: "2026-02-01T00:00:00+00:00",
  requests: [],
  content_raw: { time: 0, blocks, version: "2.28.2" },
  ...fields,
});
async function* each(posts: StoredPost[]): AsyncGenerator<StoredPost, void> {
  for (const one of posts) yield await Promise.resolve(one);
}
async function fileOf(name: string, made: AsyncGenerator<Uint8Array, void>): Promise<SourceFile> {
  const pieces: Uint8Array[] = [];
  for await (const piece of made) pieces.push(piece);
  return { name, bytes: new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer()) };
}

async function imported({ entries, images, notes }: ReadSource, expectedNotes: string[] = []) {
  expect(notes).toEqual(expectedNotes);
  return await Promise.all(
    entries.map(async (entry) => {
      const prepared = await prepare(entry, { now, workspace: "other" });
      const sizes = new Map(
        cleanBlocks(prepared.post.blocks, unlimited).blocks.flatMap(({ type, data }) =>
          type === "image" ? [[data.file.url, data.file] as const] : [],
        ),
      );
      const kept = prepared.images.flatMap((url) => {
        const path = pathOfFile(url);
        if (path !== null && !images.has(path)) return [];
        const here = path === null ? url : stored(path.slice("images/".length, -".png".length));
        return [[url, { ...sizes.get(url), url: here }] as const];
      });
      return withImages(prepared, new Map(kept)).post;
    }),
  );
}
const zipOf = (posts: StoredPost[]) =>
  fileOf(
    "tidings.zip",
    archived({ workspace, posts: each(posts), picture: () => Promise.resolve(new Uint8Array([1, 2, 3])), origin, now }),
  );
const throughMarkdown = async (posts: StoredPost[]) => imported(markdown.read([await zipOf(posts)], { now }));
const withoutIds = (blocks: unknown): Block[] => cleanBlocks(blocks, unlimited).blocks.map(({ id: _, ...block }) => block as Block);

const allBlocks = [
  { type: "header", data: { text: "What is <u>new</u>", level: 2 } },
  { type: "header", data: { text: "Deeper", level: 4 } },
  {
    type: "paragraph",
    data: { text: 'Search is <b>twice</b> as <i>fast</i>, <mark>really</mark>: <a href="https://example.com/a">look</a><br>so.' },
  },
  {
    type: "image",
    data: { file: { url: stored("a") }, alt: "A graph", caption: "Milliseconds <b>by week</b>", width: 50, withBorder: true },
  },
  { type: "image", data: { file: { url: "https://elsewhere.example/b.png" }, caption: "" } },
  { type: "code", data: { code: `![](${stored("a")})\n\n---\n# no heading`, language: "md" } },
  { type: "list", data: { style: "unordered", items: [{ content: "one", items: [{ content: "two", items: [] }] }] } },
  { type: "list", data: { style: "ordered", items: [{ content: "first", items: [] }] } },
  { type: "list", data: { style: "checklist", items: [{ content: "done", meta: { checked: true }, items: [] }] } },
  { type: "quote", data: { text: "Said so", caption: "Somebody", alignment: "left" } },
  { type: "callout", data: { kind: "warning", text: "Mind <b>this</b>" } },
  {
    type: "table",
    data: {
      withHeadings: true,
      content: [
        ["a", "b|c"],
        ["1", "2"],
      ],
    },
  },
  { type: "embed", data: { url: "https://www.youtube.com/watch?v=aqz-KE-bpKQ", caption: "" } },
  { type: "delimiter", data: {} },
];

describe("a workspace that goes as Markdown and comes back", () => {
  test("is unchanged block by block and date by date", async () => {
    const requests = ["https://linear.app/acme/issue/ENG-12", "https://github.com/acme/app/pull/7"];
    const posts = [
      post(
        {
          tags: ["big-news", "fix", "docs"],
          summary: "In: short",
          author_name: "Ada",
          cover_image: { url: stored("c"), alt: "A cover" },
          details: {
            ...{
              pinned_until: "2026-12-01T00:00:00.000Z",
              expires_at: "2026-12-31T00:00:00.000Z",
              version: "1.10",
              component: "API: server",
            },
            ...{ button: { text: "Try # it", url: "https://acme.example/?a=1#b" }, breaking: true, security: true },
            audience: { all: [{ attribute: "plan", in: ["pro", "#1"] }, { any: [{ attribute: "seats", gte: 10 }] }] },
            placement: {
              surface: "spotlight",
              selector: 'a[href="#x"]: b',
              push: false,
              from: null,
              until: "2026-12-31T00:00:00.000Z",
              again: 7,
            },
          },
        },
        allBlocks,
      ),
      post({ id: "6f1c6a3e-0000-4000-8000-0000000000ab", slug: "no-cover", cover_image: "none", external_id: "v1.2.0", requests }),
      post({
        id: "6f1c6a3e-0000-4000-8000-0000000000ac",
        slug: "later",
        status: "scheduled",
        published_at: null,
        publish_at: "2026-09-01T00:00:00+00:00",
      }),
      post({ id: "6f1c6a3e-0000-4000-8000-0000000000ad", slug: "an-idea", status: "draft", published_at: null }),
      post({
        id: "6f1c6a3e-0000-4000-8000-0000000000ae",
        slug: "2019-01-01-old",
        status: "archived",
        published_at: "2019-01-01T00:00:00+00:00",
      }),
      post({ id: "6f1c6a3e-0000-4000-8000-0000000000af", slug: "quoted", title: `"Quotes": & 'more' # [x] \\ — 日本` }),
    ];
    const back = await throughMarkdown(posts);
    const iso = (time: string | null) => time && new Date(time).toISOString();
    expect(
      back
        .map(({ fingerprint: _, blocks, ...rest }) => ({ ...rest, blocks: withoutIds(blocks) }))
        .toSorted((a, b) => a.slug!.localeCompare(b.slug!)),
    ).toEqual(
      posts
        .map((one) => ({
          external_id: one.external_id ?? `tidings:${one.id}`,
          title: one.title,
          slug: one.slug,
          status: one.status,
          summary: one.summary,
          tags: one.tags.map((key) => ({ "big-news": "Big News", fix: "Fix" })[key] ?? key),
          published_at: iso(one.published_at),
          publish_at: iso(one.publish_at),
          author: one.author_name,
          old_urls: [],
          ...(one.requests.length > 0 && { requests: one.requests }),
          ...(one.cover_image !== null && { cover_image: one.cover_image }),
          ...(one.details !== null && { details: one.details }),
          blocks: withoutIds(one.content_raw),
        }))
        .toSorted((a, b) => a.slug.localeCompare(b.slug)),
    );
  });

  check.prop([anyPosts], { numRuns: Number(process.env.FUZZ_RUNS ?? 40) })("any post is", async (input) => {
    const content = cleanBlocks(input);
    const [back] = await throughMarkdown([post({ status: "draft", published_at: null }, content.blocks)]);
    // Importing copies images to another folder.
    const whole = (blocks: unknown) =>
      blocksToMarkdown(cleanBlocks(blocks, unlimited), { whole: true }).replaceAll("/post-images/w/", "/post-images/acme/");
    // Imports drop empty headings and paragraphs.
    const once = blocksFromMarkdown(whole(content)).blocks.filter(
      ({ type, data }) => (type !== "header" && type !== "paragraph") || inlineText(data.text).trim() !== "",
    );
    expect(whole(back!.blocks)).toBe(whole(once));
  });
});

describe("public posts", () => {
  const titles = [
    "Faster search",
    "v2.0 is here",
    "5 things: we shipped",
    "What is new — in [beta]",
    "1.2.0",
    "Out on 2020-01-01",
    "Added",
  ];
  const posts = titles.map((title, at) =>
    post({ id: `6f1c6a3e-0000-4000-8000-0000000000b${at}`, slug: `p-${at}`, title, published_at: `2026-01-${31 - at}T00:00:00+00:00` }, [
      { type: "header", data: { text: "Added", level: 2 } },
      { type: "paragraph", data: { text: `Words of <b>${at}</b>` } },
      { type: "code", data: { code: "## [1.0.0] - 2020-01-01" } },
      { type: "header", data: { text: "And more", level: 3 } },
    ]),
  );

  test("round-trip through CHANGELOG.md with titles, dates and text", async () => {
    const file = await fileOf("CHANGELOG.md", changelog({ workspace, posts: each(posts), origin, now }));
    const back = await imported(changelogAdapter.read([file], { now }), [
      "The text above the first release was skipped: “What's new at Acme.”",
    ]);
    expect(back.map(({ title, published_at, status }) => [title, published_at, status])).toEqual(
      posts.map(({ title, published_at }) => [title, new Date(published_at!).toISOString(), "published"]),
    );
    for (const [at, { blocks }] of back.entries()) expect(withoutIds(blocks)).toEqual(withoutIds(posts[at]!.content_raw));
  });

  test("round-trip through a feed with titles, times, tags and text", async () => {
    const file = await fileOf(
      "posts.feed.json",
      feed({ workspace, posts: each([...posts, post({ tags: ["fix"] }, allBlocks)]), origin, now }),
    );
    const back = await imported(feedAdapter.read([file], { now }));
    expect(back.map(({ title, published_at }) => [title, published_at])).toEqual(
      [...posts, post({})].map(({ title, published_at }) => [title, new Date(published_at!).toISOString()]),
    );
    expect(back.at(-1)!.tags).toEqual(["Fix"]);
    for (const [at, { title }] of posts.entries()) expect(withoutIds(back[at]!.blocks), title).toEqual(withoutIds(posts[at]!.content_raw));
  });
});
