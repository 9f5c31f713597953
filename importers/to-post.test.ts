import { describe, expect, test } from "vitest";
import { importedPost } from "#contract/imports.ts";
import { changelog } from "./adapters/changelog.ts";
import type { EntryContent, ImportEntry } from "./entry.ts";
import { finished } from "./finish.ts";
import { addressOfFile, pathOfFile, withImages } from "./images.ts";
import { fingerprintOf, prepare } from "./to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const markdown = (text: string, base?: string): EntryContent => ({ kind: "markdown", text, ...(base === undefined ? {} : { base }) });
const entry = (fields: Partial<ImportEntry> = {}): ImportEntry => ({
  external_id: "test:1",
  title: "Faster search",
  published_at: "2026-01-31T09:00:00Z",
  status: "published",
  tags: [],
  old_urls: [],
  content: markdown("Words."),
  notes: [],
  ...fields,
});
const paragraph = (text: string) => ({ type: "paragraph", data: { text } });
async function prepared(fields: Partial<ImportEntry> = {}) {
  const made = await prepare(entry(fields), { now });
  if (made.problem === null) importedPost.parse(made.post);
  return made;
}

describe("a title", () => {
  test.each([
    ["  A \n\t title\u0000\u0007 ", "A title", []],
    ["", "Words.", ["It has no title, so its first words are used"]],
    ["\u0000 \n", "Words.", ["It has no title, so its first words are used"]],
    ["x".repeat(119), "x".repeat(119), []],
  ])("%j", async (title, expected, losses) => {
    expect(await prepared({ title })).toMatchObject({ post: { title: expected, blocks: [paragraph("Words.")] }, losses, problem: null });
  });
  test("a missing title is taken from a heading", async () => {
    const { post, losses } = await prepared({ title: "", content: markdown("Words.\n\n## The **heading**") });
    expect([post.title, losses]).toEqual(["The heading", ["It has no title, so its first heading is used"]]);
  });
  test("a missing title without any text is Untitled", async () => {
    const { post, losses } = await prepared({ title: "", content: markdown("---") });
    expect(post).toMatchObject({ title: "Untitled", status: "draft" });
    expect(losses).toEqual(["It has no title and is called “Untitled”", "It has no text, so it's imported as a draft"]);
  });
  test("a long title is shortened at a word, and kept in full above the text", async () => {
    const title = `${"word ".repeat(24)}<end>`;
    const { post, losses } = await prepared({ title });
    expect(post.title).toBe(`${"word ".repeat(22)}word…`);
    expect(post.blocks).toEqual([paragraph(`${"word ".repeat(24)}&lt;end&gt;`), paragraph("Words.")]);
    expect(losses).toEqual(["Its title is longer than 119 characters, so the full title is the first paragraph"]);
  });
  test("a title of ten million characters is rejected", async () => {
    expect((await prepared({ title: "a".repeat(10_000_000) })).problem).toBe("A block can have at most 50,000 characters");
  });
});

describe("a date", () => {
  test.each([
    ["published", "2026-01-31", null, ["published", "2026-01-31T00:00:00.000Z", null], []],
    ["published", "2026-01-31T23:00:00+02:00", null, ["published", "2026-01-31T21:00:00.000Z", null], []],
    ["published", "Sat, 31 Jan 2026 09:00:00 GMT", null, ["published", "2026-01-31T09:00:00.000Z", null], []],
    ["published", null, null, ["draft", null, null], ["It has no date, so it's imported as a draft"]],
    ["published", "soon", null, ["draft", null, null], ["Its date can't be read (soon), so it's imported as a draft"]],
    ["published", "2026-02-30", null, ["draft", null, null], ["Its date can't be read (2026-02-30), so it's imported as a draft"]],
    [
      "published",
      "2026-06-01T12:00:01Z",
      null,
      ["draft", null, null],
      ["Its date is in the future (2026-06-01), so it's imported as a draft"],
    ],
    ["published", "9999-12-31", null, ["draft", null, null], ["Its date is in the future (9999-12-31), so it's imported as a draft"]],
    ["published", "1969-12-31", null, ["draft", null, null], ["Its date is before 1970, so it's imported as a draft"]],
    ["published", "0000-01-01", null, ["draft", null, null], ["Its date is before 1970, so it's imported as a draft"]],
    ["scheduled", null, "2026-07-01T00:00:00Z", ["scheduled", null, "2026-07-01T00:00:00.000Z"], []],
    ["scheduled", null, null, ["draft", null, null], ["It has no publication time, so it's imported as a draft"]],
    [
      "scheduled",
      null,
      "2026-05-01T00:00:00Z",
      ["draft", null, null],
      ["Its publication time is in the past (2026-05-01), so it's imported as a draft"],
    ],
    [
      "scheduled",
      null,
      "2036-06-02T00:00:00Z",
      ["draft", null, null],
      ["Its publication time is more than 10 years ahead, so it's imported as a draft"],
    ],
    ["archived", "2025-01-01", null, ["archived", "2025-01-01T00:00:00.000Z", null], []],
    ["archived", "2027-01-01", null, ["archived", null, null], []],
    ["draft", "2025-01-01", "2027-01-01", ["draft", null, null], []],
  ] as const)("%s %s %s", async (status, published_at, publish_at, expected, losses) => {
    const made = await prepared({ status, published_at, publish_at });
    expect([made.post.status, made.post.published_at, made.post.publish_at]).toEqual(expected);
    expect(made.losses).toEqual(losses);
  });
});

test.each<[Partial<ImportEntry>, string | undefined]>([
  [{ published_at: null }, "It has no date, so it's imported as a draft"],
  [{ published_at: "soon" }, "Its date can't be read (soon), so it's imported as a draft"],
  [{ published_at: "2027-01-01" }, undefined],
  [{ published_at: null, status: "draft" }, undefined],
  [{ published_at: null, content: markdown("") }, undefined],
])("a post that only lacks a date says so: %j", async (changes, undated) => {
  expect((await prepared(changes)).undated).toBe(undated);
});

describe("a day without a time", () => {
  test.each([
    ["2026-06-02", "2026-06-01T10:00:00Z", "2026-06-01T10:00:00.000Z"],
    ["June 2, 2026", "2026-06-01T23:59:59Z", "2026-06-01T23:59:59.000Z"],
    ["2026-06-02T00:00:00.000Z", "2026-06-01T10:00:00Z", "2026-06-01T10:00:00.000Z"],
    ["2026-06-02", "2026-06-02T00:00:00Z", "2026-06-02T00:00:00.000Z"],
    ["2026-06-02", "2026-06-03T09:00:00Z", "2026-06-02T00:00:00.000Z"],
  ])("%s isn't a future day at %s", async (published_at, now, expected) => {
    const { post, losses } = await prepare(entry({ published_at }), { now: new Date(now) });
    expect([post.status, post.published_at, losses]).toEqual(["published", expected, []]);
  });
  test.each([
    ["2026-06-02", "2026-06-01T09:59:59Z"],
    ["2026-06-02 00:00", "2026-06-01T10:00:00Z"],
    ["2026-06-02T00:00:00Z", "2026-06-01T23:00:00Z"],
    ["2026-06-02T01:00:00.000Z", "2026-06-01T23:00:00Z"],
  ])("%s lies ahead at %s: nowhere is it that day, or it has a time", async (published_at, now) => {
    const { post, losses } = await prepare(entry({ published_at }), { now: new Date(now) });
    expect([post.status, losses]).toEqual(["draft", ["Its date is in the future (2026-06-02), so it's imported as a draft"]]);
  });
  test("of a changelog too", async () => {
    const file = { name: "CHANGELOG.md", bytes: new TextEncoder().encode("# Changelog\n\n## 1.0.0 - 2026-06-02\n\n- It flies") };
    const [read] = changelog.read([file], { now }).entries;
    expect((await prepare(read!, { now })).post).toMatchObject({ status: "published", published_at: "2026-06-01T12:00:00.000Z" });
  });
});

describe("duplicate ids after normalising", () => {
  const named = (...names: string[]) =>
    finished({ source: "feed", name: null, entries: names.map((external_id) => entry({ external_id })), notes: [] });
  test.each([
    [["feed:a b", "feed:a  b", "feed:a b ", "feed:a\tb"]],
    [["feed:a", "feed:a\u0000", "feed:a#2", "feed:a #2"]],
    [["", " "]],
    [[`feed:${"a".repeat(300)} b`, `feed:${"a".repeat(300)}  b`]],
  ])("%j are several posts'", async (names) => {
    const { entries, notes } = named(...names);
    const ids = await Promise.all(entries.map(async (one) => (await prepare(one, { now })).post.external_id));
    expect(new Set(ids).size).toBe(names.length);
    expect(notes).toEqual([expect.stringContaining("the same id as another")]);
  });
  test("distinct ids stay", () => {
    const { entries, notes } = named("feed:a b", "feed:ab", "feed:a#2");
    expect([entries.map(({ external_id }) => external_id), notes]).toEqual([["feed:a b", "feed:ab", "feed:a#2"], []]);
  });
});

describe("what stands beside the text", () => {
  test("is truncated to the limits and reported", async () => {
    const { post, losses } = await prepared({
      summary: `${"short ".repeat(60)}`,
      author: "A".repeat(130),
      tags: [" Added ", "added", "", "\u0000", "t".repeat(50), ...Array.from({ length: 25 }, (_, n) => `tag ${n}`)],
      slug: "Über Uns/2.0",
      old_urls: [
        "https://a.example/b",
        "ftp://a.example",
        "/c",
        "https://a.example/b",
        ...Array.from({ length: 12 }, (_, n) => `http://a.example/${n}`),
      ],
    });
    expect(post.summary).toMatch(/^short .*short…$/);
    expect(post.summary!.length).toBeLessThanOrEqual(300);
    expect(post.author).toBe(`${"A".repeat(119)}…`);
    expect(post.tags).toHaveLength(20);
    expect(post.tags!.slice(0, 3)).toEqual(["Added", `${"t".repeat(39)}…`, "tag 0"]);
    expect(post.slug).toBe("uber-uns-2-0");
    expect(post.old_urls).toHaveLength(10);
    expect(post.old_urls!.slice(0, 2)).toEqual(["https://a.example/b", "http://a.example/0"]);
    expect(losses).toEqual([
      "Its summary was shortened to 300 characters",
      `A tag was shortened to 40 characters: ${"t".repeat(39)}…`,
      "Only the first 20 of its 27 tags were kept",
      "Its author’s name was shortened to 120 characters",
      "Only 10 of its 13 old URLs were kept",
    ]);
  });
  test.each([
    ["a-b", "a-b"],
    ["日本", null],
    ["", null],
    ["Post", "post"],
    ["x".repeat(200), "x".repeat(80)],
  ])("the address %j", async (slug, expected) => {
    expect((await prepared({ slug })).post.slug).toBe(expected);
  });
  test("a long name stays unique", async () => {
    const [one, other] = await Promise.all(["a", "b"].map((end) => prepared({ external_id: "https://x.example/".padEnd(400, "y") + end })));
    expect(one!.post.external_id).toHaveLength(193);
    expect(one!.post.external_id).not.toBe(other!.post.external_id);
    expect((await prepared({ external_id: " \u0007 " })).problem).toBeNull();
  });
  test("placeholder tags are dropped", async () => {
    const tags = ["Uncategorized", " uncategorised ", "[]", "[ ]", "Uncategorized things", "News"];
    expect((await prepare(entry({ tags }), { now })).post.tags).toEqual(["Uncategorized things", "News"]);
    expect((await prepare(entry({ tags: ["Uncategorized"], isOurs: true }), { now })).post.tags).toEqual(["Uncategorized"]);
  });

  test("covers", async () => {
    const cover = async (given: ImportEntry["cover"], content = markdown("x", "https://s.example/blog/")) =>
      (await prepared({ cover: given, content })).post.cover_image;
    expect(await cover(null)).toBeUndefined();
    expect(await cover("none")).toBe("none");
    expect(await cover({ url: "../c.png", alt: " A\ncover " })).toEqual({ url: "https://s.example/c.png", alt: "A cover" });
    const { post, losses } = await prepared({ cover: { url: "javascript:alert(1)" } });
    expect([post.cover_image, losses]).toEqual([undefined, ["Its cover has no usable URL"]]);
  });
});

describe("a text", () => {
  test("content over the limits is a problem, not an exception", async () => {
    const problems = [
      ["a".repeat(60_000), "A block can have at most 50,000 characters"],
      ["a\n\n".repeat(1_001), "A post can have at most 1,000 blocks"],
      ["[".repeat(10_000_000), "Markdown can have at most 400,000 characters"],
    ] as const;
    for (const [text, problem] of problems) {
      const made = await prepared({ content: markdown(text) });
      expect(made).toMatchObject({ problem, images: [], post: { blocks: [] } });
    }
    const html = await prepared({ content: { kind: "html", text: "<p>a</p>".repeat(300_000) } });
    expect(html.problem).toMatch(/^The HTML of a post can have at most /);
    const blocks = await prepared({ content: { kind: "blocks", content: Array(1_001).fill({ type: "delimiter", data: {} }) } });
    expect(blocks.problem).toBe("A post can have at most 1,000 blocks");
  });
  test("oversized tables are split or become code", async () => {
    const long = `| a |\n| - |\n${"| b |\n".repeat(450)}`;
    const { post, losses } = await prepared({ content: markdown(long) });
    const rows = (post.blocks as { data: { content: string[][] } }[]).map(({ data }) => data.content.length);
    expect([rows, losses]).toEqual([[200, 200, 53], ["A table with more than 200 rows is now split"]]);
    const wide = `|${" a |".repeat(31)}\n|${" - |".repeat(31)}\n|${" b |".repeat(31)}`;
    expect(await prepared({ content: markdown(wide) })).toMatchObject({
      post: { blocks: [{ type: "code", data: { code: wide } }] },
      losses: ["A table with more than 30 columns is now code"],
    });
  });
  test("a long list is split at the limit of a block", async () => {
    const { post, losses, problem } = await prepared({ content: markdown(`1. \`${"a".repeat(90)}\`\n`.repeat(1_050)) });
    const lists = post.blocks as { data: { meta: object; items: unknown[] } }[];
    expect([problem, losses]).toEqual([null, ["A list with more than 1,000 items or 50,000 characters is now split"]]);
    expect(lists.map(({ data }) => [data.items.length, data.meta])).toEqual([
      [406, {}],
      [406, { start: 407 }],
      [238, { start: 813 }],
    ]);
  });
  test("text like front matter is kept: the file reader has already removed real front matter", async () => {
    const { post } = await prepared({ content: markdown("---\nkey: value\n---\n") });
    expect(JSON.stringify(post.blocks)).toContain("key: value");
  });
  test.each([
    ["<details><summary>a</summary>\n\nb\n\n</details>", "A collapsible part (<details>) is now expanded"],
    ["a[^1]\n\n[^1]: b", "Footnotes stay as text"],
    ["##### a", "Headings of level 5 and 6 are now level 4"],
    ["- a\n  1. b", "A nested list uses the style of its parent: numbers or bullets"],
    ["- [ ] a\n- b", "All items of a list with tasks are now tasks"],
    ["- a\n\n  ```\n  b\n  ```", "Code, tables or images in a list or quote were moved behind it"],
    ["> ```\n> b\n> ```", "Code, tables or images in a list or quote were moved behind it"],
    ["<iframe src='https://x.example/f'></iframe>", "Videos and embedded frames are now links"],
    ["a <video src='https://x.example/v.mp4'></video>", "Videos and embedded frames are now links"],
    ["<script>a</script>\n\nb", "Removed: <script>"],
    ["<ul><li>a</li></ul>", "Only the text of HTML was kept: <ul>, <li>"],
    ["a <ruby>b</ruby>", "HTML tags were removed: <ruby>"],
    ["[a](b.md) [c](javascript:d)", "2 links have no target here and are now text: b.md, javascript:d"],
    ["![a](data:image/png;base64,AA)", "An image has no URL and is now text: a"],
    ["- a ![b](https://x.example/i.png)", "An image within text is now a link or its text"],
    [
      Array.from({ length: 12 }, (_, depth) => `${"  ".repeat(depth)}- ${depth}`).join("\n"),
      "Lists deeper than 8 levels continue on level 8",
    ],
  ])("%j loses something, which is reported", async (text, loss) => {
    expect((await prepared({ content: markdown(text) })).losses).toEqual([loss]);
  });
  test.each([
    "a **b** `c` [d](https://x.example) <u>e</u>",
    "- a\n  - b",
    "1. a\n   1. b",
    "- [x] a",
    "> a",
    "> [!TIP]\n> a",
    "| a |\n| - |\n| b |",
    "```ts\na\n```",
    "# a",
    "a <br> b <!-- c -->",
    "<div align=center>\n\na\n\n</div>",
    "https://youtu.be/aqz-KE-bpKQ",
    '<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ"></iframe>',
  ])("%j loses nothing and reports nothing", async (text) => {
    expect((await prepared({ content: markdown(text) })).losses).toEqual([]);
  });
});

describe("pictures", () => {
  const ours = "/storage/v1/object/public/post-images/6f1c6a3e-0000-4000-8000-000000000001/a.png";
  const content = markdown(
    '![one](i/a%20b.png)\n\n![two](https://x.example/p.png "Caption")\n\n![](/far/c.png)',
    addressOfFile("posts/first post.md"),
  );

  test("images are listed by URL, local files by path", async () => {
    const { images } = await prepared({ content, cover: { url: "https://x.example/p.png" } });
    expect(images.map((address) => pathOfFile(address) ?? address)).toEqual(["posts/i/a b.png", "https://x.example/p.png", "far/c.png"]);
  });
  test("copied images replace the originals, failed ones leave text", async () => {
    const made = await prepared({ content, cover: { url: "https://x.example/p.png", alt: "Cover" } });
    const [first = "", second = ""] = made.images;
    const kept = new Map([
      [first, { url: ours, width: 3, height: 2 }],
      [second, null],
    ]);
    const { post, losses, images } = withImages(made, kept);
    importedPost.parse(post);
    expect(post.blocks).toEqual([
      {
        type: "image",
        data: {
          file: { url: ours, width: 3, height: 2 },
          alt: "one",
          caption: "",
          withBorder: false,
          stretched: false,
          withBackground: false,
        },
      },
      paragraph('<a href="https://x.example/p.png">Image: two</a><br>Caption'),
      paragraph("Image: c.png"),
    ]);
    expect(post.cover_image).toBeNull();
    expect(losses).toEqual(["We couldn't copy 2 images, so their text replaces them", "We couldn't copy the cover"]);
    expect(images).toEqual([]);
    const all = withImages(made, new Map(made.images.map((address) => [address, { url: ours }])));
    expect(all.post.cover_image).toEqual({ url: ours, alt: "Cover" });
    expect(JSON.stringify(all.post)).not.toContain("invalid");
  });
  test("an audience that isn't valid becomes the team, never everyone", async () => {
    const rule = { attribute: "plan", eq: "pro" };
    const read = async (audience: unknown) => {
      const { post, losses } = await prepared({ details: { audience } });
      return [post.details?.audience ?? null, losses];
    };
    expect(await read(rule)).toEqual([rule, []]);
    expect(await read({ not: rule })).toEqual(["internal", ["Its audience isn’t valid, so only your team can see it"]]);
  });
  test("our own images stay; other workspaces' are copied", async () => {
    const own = entry({ content: { kind: "blocks", content: [{ type: "image", data: { file: { url: ours } } }] } });
    expect((await prepare(own, { now })).images).toEqual([]);
    expect((await prepare(own, { now, workspace: "6f1c6a3e-0000-4000-8000-000000000001" })).images).toEqual([]);
    expect((await prepare(own, { now, workspace: "6f1c6a3e-0000-4000-8000-000000000002" })).images).toEqual([ours]);
  });
  test("inline images never link to local files", async () => {
    const { post } = await prepared({ content: markdown("- a ![b](c.png) [d](e.pdf) <a href='f.md'>g</a> <img src='h.png' alt='i'>") });
    expect(JSON.stringify(post)).not.toContain("invalid");
  });
});

describe("a fingerprint", () => {
  test("the fingerprint covers the source's data in any order, and nothing else", async () => {
    const one = await fingerprintOf(entry());
    const { notes: _, ...rest } = entry();
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprintOf({ notes: ["x"], summary: null, ...rest, content: markdown("Words.", "https://moved.example") })).toBe(one);
    const blocks = (data: object) => fingerprintOf(entry({ content: { kind: "blocks", content: [data] } }));
    expect(await blocks({ a: 1, b: 2 })).toBe(await blocks({ b: 2, a: 1 }));
  });
  test.each<Partial<ImportEntry>>([
    { title: "x" },
    { published_at: null },
    { status: "draft" },
    { tags: ["x"] },
    { summary: "x" },
    { slug: "x" },
    { cover: "none" },
    { author: "x" },
    { old_urls: ["x"] },
    { content: markdown("x") },
    { content: { kind: "html", text: "Words." } },
  ])("is another one with %j", async (fields) => {
    expect(await fingerprintOf(entry(fields))).not.toBe(await fingerprintOf(entry()));
  });
});
