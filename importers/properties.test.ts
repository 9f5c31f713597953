import { fc, test } from "../tests/support/properties.ts";
import { zipSync } from "fflate";
import { describe, expect } from "vitest";
import { blocksFromMarkdown } from "#contract/blocks/from-markdown.ts";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import { exportFormat } from "#contract/export-format.ts";
import { posts } from "../tests/support/any-posts.ts";
import { adapters } from "./adapters/all.ts";
import { adapterFor, unknownFiles } from "./detect.ts";
import { type ImportEntry, ImportProblem } from "./entry.ts";
import { tidings } from "./adapters/tidings.ts";
import { prepare } from "./to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const entry = (text: string): ImportEntry => ({
  external_id: "any:1",
  title: "Title",
  published_at: "2026-01-31",
  status: "published",
  tags: [],
  old_urls: [],
  content: { kind: "markdown", text },
  notes: [],
});

const word = fc.constantFrom("amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath");
const sign = fc.constantFrom(
  ..."* ** _ __ ~~ ` `` ``` ~~~ [ ] ![ ]( ) ( < > </ <!-- --> | & &amp; \\ # ## - + 1. 2) > >> --- === : ! [x] [ ]: ^ [^ <b> </b> <i> <br> <div> </div> <details> <summary> <script> </script> <li> <td> <h1> https:// www. @ #1 \t".split(
    " ",
  ),
  "\n",
  "\n\n",
  "    ",
  "| - |\n",
  "- [ ] ",
  "> [!NOTE]\n",
);
const form = fc
  .tuple(
    fc.constantFrom(
      ..."[1](2) ![1](2) [1][2] ![1] **1** _1_ ~~1~~ `1` <b>1</b> <u>1</u> <1> <kbd>1</kbd> [^1] (1) <a_href=2>1</a> <img_alt=1_src=2> https://x.example/1 @1"
        .split(" ")
        .map((one) => one.replaceAll("_", " ")),
      '[1](https://x.example/2 "3")',
      "[1]: 2\n",
      "[1]: https://x.example/2 '3'\n",
      "[^1]: 2\n",
      "- 1\n",
      "  - 1\n    2\n",
      "1. 1\n",
      "- [x] 1\n",
      "> 1\n",
      "> - 1\n>   > 2\n",
      "> [!TIP]\n> 1\n",
      "# 1\n",
      "1\n===\n",
      "\n\n| 1 | 2 |\n| - | - |\n| 3 | 1 | 2 |\n\n",
      "```1\n2\n```\n",
      "- 1\n  ```\n  2\n  ```\n",
      "\n\n    1\n",
      "<div class=1>2</div>\n",
      "<details>\n<summary>1</summary>\n\n2\n</details>\n",
      "<table><tr><td>1</td><td>2</td></tr></table>\n",
      "<iframe src='https://x.example/1'>2</iframe>\n",
      "<!-- 1 -->",
    ),
    word,
    word,
    word,
  )
  .map(([text, ...three]) => text.replace(/\b[123]\b(?!\.)/g, (place) => three[Number(place) - 1]!));
const scribbles = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word },
      { weight: 2, arbitrary: sign },
      { weight: 2, arbitrary: form },
      { weight: 2, arbitrary: fc.constantFrom(" ", "\n") },
    ),
    {
      maxLength: 24,
    },
  )
  .map((parts) => parts.join(""));

const unseen: readonly RegExp[] = [
  /(?:`{3,}|~{3,})[^\n]*/g,
  /<!--[^]*?(?:-->|$)/g,
  /<script[^]*?(?:<\/script|$)/gi,
  /<[a-z/!?][^<>]*(?:>|$|(?=<))/gi, // an unclosed tag ends where the next begins
  /\]\([^)]*\)/g,
  /^[\s>*+-]*(?:\d[.)]\s*)*\[[^\]]*\]:[^\n]*(?:\n[^\n]*)?/gm,
  /<[a-z]*$/gi,
];

function seen(text: string): string {
  const linked = text.replace(/\]\[([^\]]*)\]/g, (all, label) => (text.includes(`[${label}]:`) ? "]" : all));
  return unseen.reduce((left, form) => left.replace(form, " "), linked);
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [one] of text.matchAll(/amber|birch|cedar|dune|ember|fjord|grove|heath/g)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

// Reproducible; random cases: FUZZ_RUNS=300000 vitest run --project units importers/properties.test.ts --testTimeout 600000
describe("any Markdown", () => {
  test.prop([scribbles], { numRuns: Number(process.env.FUZZ_RUNS ?? 800), ...(!process.env.FUZZ_RUNS && { seed: 22 }) })(
    "keeps its words, is clean, and never throws",
    async (text) => {
      const { post, problem } = await prepare(entry(text), { now });
      expect(problem).toBeNull();
      const content = cleanBlocks(post.blocks, unlimited);
      expect(cleanBlocks(content, unlimited)).toEqual(content);
      expect(content.blocks).toEqual(post.blocks);
      const kept = countsOf(JSON.stringify(content.blocks));
      for (const [one, count] of countsOf(seen(text))) {
        expect(kept.get(one) ?? 0, `${one} of ${JSON.stringify(text)}`).toBeGreaterThanOrEqual(count);
      }
    },
    900_000,
  );
  test.prop([fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom("markdown", "html")])(
    "or HTML, or neither, is a post",
    async (text, kind) => {
      const { post, problem } = await prepare(
        { ...entry(""), title: text, external_id: text, content: { kind: kind as "html", text } },
        { now },
      );
      expect(problem).toBeNull();
      expect(cleanBlocks(post.blocks).blocks).toEqual(post.blocks);
    },
  );
});

const pieces = fc.constantFrom(
  ...'[ ] { } , : null true 7 "" "id" "tag_name" "body" "v1" "posts" "content" "publication_date" "2026-01-31" --- +++ a: b = * & ! | PK\u0003\u0004 PK\u0005\u0006 id,title,content,display_date ## # 1.0.0 - ( ) [Unreleased] <rss> <feed> </ <item> <title>'.split(
    " ",
  ),
  "\n",
  " ",
  `{"format": "${exportFormat}", "posts": [`,
  '{"id": "a", "status": "published", "title": "b"}',
  '"db":[{"data":{"posts":[',
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.array(pieces, { maxLength: 30 }).map((parts) => new TextEncoder().encode(parts.join(""))),
  fc
    .tuple(fc.array(pieces, { maxLength: 10 }), fc.uint8Array({ maxLength: 20 }))
    .map(([parts, end]) => new Uint8Array([...new TextEncoder().encode(parts.join("")), ...end])),
);
const fileName = fc.constantFrom(
  "CHANGELOG.md",
  "post.md",
  "a.json",
  "changelog.csv",
  "feed.xml",
  "x.zip",
  "",
  "Title 0123456789abcdef0123456789abcdef.md",
);
const zipped = fc
  .dictionary(fileName, fc.uint8Array({ maxLength: 60 }), { maxKeys: 3 })
  .chain((files) => fc.tuple(fc.constant(zipSync(files)), fc.nat(), fc.nat(255), fc.nat(300)))
  .map(([zip, at, byte, cut]) => {
    const broken = zip.slice(0, Math.max(0, zip.length - (cut > 250 ? cut - 250 : 0)));
    if (broken.length > 0) broken[at % broken.length] = byte;
    return broken;
  });

describe("any bytes", () => {
  test.prop([fc.array(fc.record({ name: fileName, bytes: fc.oneof(bytes, bytes, zipped) }), { maxLength: 3 })], { numRuns: 1_500 })(
    "give entries or a sentence, from each adapter",
    async (files) => {
      expect(adapterFor(files)?.source ?? unknownFiles(files)).toBeTypeOf("string");
      for (const adapter of adapters) {
        try {
          const { entries } = adapter.read(files, { now });
          expect(new Set(entries.map(({ external_id }) => external_id)).size).toBe(entries.length);
          for (const one of entries) await prepare(one, { now });
        } catch (error) {
          expect(error, adapter.source).toBeInstanceOf(ImportProblem);
          expect((error as Error).message).toMatch(/^\S.{10,300}$/su);
        }
      }
    },
  );
});

describe("our own export", () => {
  test.prop([fc.array(posts, { maxLength: 4 }), fc.date({ min: new Date(0), max: now, noInvalidDate: true })])(
    "comes back block by block, date by date",
    async (all, date) => {
      const contents = all.map((post) => cleanBlocks(post));
      const rows = contents.map((content_raw, at) => ({
        id: `6f1c6a3e-0000-4000-8000-${String(at).padStart(12, "0")}`,
        title: `Post ${at}`,
        slug: `post-${at}`,
        status: at % 2 === 0 ? "archived" : "draft",
        tags: ["feature"],
        published_at: date.toISOString(),
        content_raw,
      }));
      if (rows.length === 0) return;
      const file = { name: "export.json", bytes: new TextEncoder().encode(JSON.stringify({ format: exportFormat, posts: rows })) };
      const { entries } = tidings.read([file], { now });
      for (const [at, one] of entries.entries()) {
        const { post, problem } = await prepare(one, { now });
        expect([problem, post.blocks, post.slug, post.title]).toEqual([null, contents[at]!.blocks, `post-${at}`, `Post ${at}`]);
        expect(post.published_at).toBe(at % 2 === 0 ? date.toISOString() : null);
      }
    },
  );
});

test("the words of Markdown are found where they are", () => {
  const text = blocksToText(blocksFromMarkdown("amber [birch](cedar)"));
  expect(countsOf(text)).toEqual(
    new Map([
      ["amber", 1],
      ["birch", 1],
    ]),
  );
});

test.each(["<details><<!-- amber -->birch", "<div></<!-- amber -->birch</div>", "amber <<!-- -->birch"])(
  "%s keeps the word behind a comment",
  async (text) => {
    const { post } = await prepare(entry(text), { now });
    expect(JSON.stringify(post.blocks)).toContain("birch");
  },
);
