import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { csv } from "../adapters/beamer.ts";
import { adapterFor, mixedFiles, unknownFiles } from "../detect.ts";
import type { SourceFile } from "../entry.ts";
import { markdown } from "../adapters/markdown.ts";
import { archiveLimits, filesOfZip } from "./zip.ts";

const now = new Date("2026-06-01T12:00:00Z");
const bytes = (text: string) => new TextEncoder().encode(text);
const zip = (files: Parameters<typeof zipSync>[0]): SourceFile => ({ name: "posts.zip", bytes: zipSync(files) });
const read = (...files: SourceFile[]) => markdown.read(files, { now });
function patched({ name, bytes: before }: SourceFile, signature: number, offset: number, value: number): SourceFile {
  const after = before.slice();
  const view = new DataView(after.buffer);
  for (let at = 0; at + 4 <= after.length; at++) if (view.getUint32(at, true) === signature) view.setUint16(at + offset, value, true);
  return { name, bytes: after };
}
const [local, central, end] = [0x04034b50, 0x02014b50, 0x06054b50];
const post = { "a.md": bytes("# A\n\nb") };

describe("a zip", () => {
  test.each([
    ["a path above it", zip({ ...post, "../x.md": bytes("x") }), "A file in posts.zip lies outside of it: ../x.md"],
    ["a path above it, further in", zip({ ...post, "a/../../x.md": bytes("x") }), "A file in posts.zip lies outside of it: a/../../x.md"],
    ["a path from the root", zip({ ...post, "/etc/x.md": bytes("x") }), "A file in posts.zip lies outside of it: /etc/x.md"],
    ["a drive", zip({ ...post, "C:x.md": bytes("x") }), "A file in posts.zip lies outside of it: C:x.md"],
    ["a backslash", zip({ ...post, "a\\x.md": bytes("x") }), "A file in posts.zip has a backslash in its name: a\\x.md"],
    [
      "a symbolic link",
      zip({ ...post, "x.md": [bytes("/etc/passwd"), { os: 3, attrs: (0o120777 << 16) >>> 0 }] }),
      "A file in posts.zip is a link to another one: x.md",
    ],
    ["a password", patched(zip(post), central, 8, 1), "posts.zip is encrypted: please pack it without a password"],
    ["another way of packing", patched(zip(post), central, 10, 12), "a.md in posts.zip uses an unsupported compression"],
    [
      "a zip two levels down alone",
      zip({ "b.zip": zipSync({ "c.zip": zipSync(post) }) }),
      "The zip contains only another zip. Please unpack it and choose c.zip",
    ],
    ["a path above a zip within", zip({ "b.zip": zipSync({ "../x.md": bytes("x") }) }), "A file in b.zip lies outside of it: ../x.md"],
    ["a zip within that is cut", zip({ "b.zip": zipSync(post).slice(0, -30) }), "b.zip is damaged: please pack it again"],
    ["nothing", zip({}), "No Markdown file (.md) found"],
    ["no table of contents", { name: "posts.zip", bytes: zipSync(post).slice(0, -30) }, "posts.zip is damaged: please pack it again"],
    ["a table that is elsewhere", patched(zip(post), end, 16, 7), "posts.zip is damaged: please pack it again"],
    ["a file that is elsewhere", patched(zip(post), central, 42, 9), "a.md in posts.zip is damaged: please pack it again"],
    ["more entries than it has", patched(zip(post), end, 10, 9), "posts.zip is damaged: please pack it again"],
    ["a size beyond 4 GB", patched(zip(post), end, 10, 0xffff), "posts.zip is too large"],
  ])("with %s is refused with a sentence", (_name, file, problem) => {
    expect(adapterFor([file])?.source).toBe("markdown");
    expect(() => read(file)).toThrow(expect.objectContaining({ name: "ImportProblem", message: problem }));
  });

  test("with truncated content is damaged", () => {
    const text = bytes("word ".repeat(20_000));
    const file = zip({ "a.md": text });
    const view = new DataView(file.bytes.buffer);
    view.setUint8(60, view.getUint8(60) ^ 0xff);
    expect(() => read(file)).toThrow(/^a\.md in posts\.zip is damaged/);
  });

  test("with a false small size is stopped at the limit", () => {
    const mebibyte = 1_048_576;
    const bomb = zipSync({ "a.md": new Uint8Array(mebibyte), "b.md": new Uint8Array(mebibyte + 1) });
    expect(bomb.length).toBeLessThan(5_000);
    const lying = patched(patched({ name: "posts.zip", bytes: bomb }, central, 24, 3), local, 22, 3);
    const [first, second] = filesOfZip(lying.bytes, "posts.zip", { ...archiveLimits, bytes: 2 * mebibyte });
    expect(first!.bytes()).toHaveLength(mebibyte);
    expect(() => second!.bytes()).toThrow("posts.zip is larger than 2 MB when it is unpacked");
    expect(archiveLimits.bytes).toBe(200 * mebibyte);
  });

  test("of zips is read as one, like large Notion exports", () => {
    const page = "First 0123456789abcdef0123456789abcdef.md";
    const parts = {
      "Export/Part-1.zip": zipSync({ [`Private/${page}`]: bytes("# First\n\n![](First/a.png)"), "c.zip": zipSync(post) }),
      "Export/Part-2.zip": zipSync({ "Private/First/a.png": bytes("\u0089PNG"), "Private/second.md": bytes("# Second\n\nb") }),
    };
    const { entries, images, notes } = read(zip(parts));
    expect(entries.map(({ external_id }) => external_id)).toEqual([
      "notion:0123456789abcdef0123456789abcdef",
      "markdown:Private/second.md",
    ]);
    expect([...images.keys()]).toEqual(["Private/First/a.png"]);
    expect(notes).toEqual(["Skipped a zip inside the zip: c.zip"]);
  });

  test("of zips shares one size limit across both levels", () => {
    const mebibyte = 1_048_576;
    const part = zipSync({ ...post, "a.png": new Uint8Array(101 * mebibyte) }, { level: 0 });
    expect(() => read(zip({ "1.zip": [part, { level: 0 }] }))).toThrow(/^posts\.zip is larger than 200 MB when it is unpacked$/);
    const many = zipSync(Object.fromEntries(Array.from({ length: 2_501 }, (_, n) => [`${n}.md`, bytes("a")])));
    expect(() => read(zip({ "1.zip": many, "2.zip": many }))).toThrow("There are more than 5,000 files");
  });

  test("skips files that aren't posts and says so", () => {
    const { entries, notes, images } = read(
      zip({
        "__MACOSX/._a.md": bytes("x"),
        ".git/b.md": bytes("x"),
        "pack/a.md": bytes("# A\n\nb"),
        "pack/c.zip": bytes("x"),
        "pack/d.pdf": bytes("x"),
        "pack/e.png": bytes("x"),
        "pack/empty/": new Uint8Array(),
      }),
    );
    expect(entries.map(({ external_id }) => external_id)).toEqual(["markdown:a.md"]);
    expect([...images.keys()]).toEqual(["e.png"]);
    expect(notes).toEqual(["Skipped a zip inside the zip: c.zip", "One file of other types skipped: d.pdf"]);
  });
});

describe("front matter", () => {
  const facts = (text: string) => read({ name: "a.md", bytes: bytes(text) }).entries[0]!;
  test("with exploding aliases or endless nesting stays text", () => {
    const laughs = Array.from(
      { length: 12 },
      (_, n) =>
        `l${n}: &l${n} [${Array(9)
          .fill(n === 0 ? "ha" : `*l${n - 1}`)
          .join(",")}]\n`,
    ).join("");
    for (const front of [`---\n${laughs}---\n`, `---\na: ${"[".repeat(20_000)}\n---\n`, `+++\na = ${"[".repeat(20_000)}\n+++\n`]) {
      const { notes, content } = facts(`${front}Words.`);
      expect(notes).toEqual(["Its front matter can't be read, so it stays in the text"]);
      expect(content).toMatchObject({ text: `${front}Words.` });
    }
  });
  test("that isn't front matter stays text", () => {
    for (const text of ["---\n\nWords.\n\n---\n", "---\nWords.\n---\nMore.", "---\ntitle: never closed"]) {
      expect(facts(text)).toMatchObject({ content: { text }, notes: [] });
    }
  });
});

describe("a file with nothing in it", () => {
  const empty = { name: "notes/b.md", bytes: bytes(" \n\n") };
  test("is skipped and named", () => {
    const { entries, notes } = read({ name: "notes/a.md", bytes: bytes("# One\n\nWords.") }, empty);
    expect([entries.map(({ title }) => title), notes]).toEqual([["One"], ["Skipped: b.md is empty"]]);
  });
  test("can't be imported", () => expect(() => read(empty)).toThrow("b.md is empty"));
});

describe("unsupported files", () => {
  test.each([
    [[], "No file was chosen"],
    [[{ name: "a.md", bytes: new Uint8Array() }], null],
    [[{ name: "a.bin", bytes: new Uint8Array() }], "We can't import this file: a.bin is empty"],
    [[{ name: "a.png", bytes: bytes("\u0089PNG") }], null],
    [[{ name: "a.pdf", bytes: bytes("%PDF-1.7") }], "We can't import this file: a.pdf is a PDF"],
    [[{ name: "a.exe", bytes: new Uint8Array([77, 90, 0, 0]) }], "We can't import this file: a.exe is not text"],
    [[{ name: "a.json", bytes: bytes('{"a":1}') }], "We can't import this file: a.json is JSON from a product we don't support"],
    [[{ name: "a.html", bytes: bytes("<!doctype html>") }], "We can't import this file: a.html is a web page, not a feed or an export"],
    [
      [{ name: "a.csv", bytes: bytes("title,words\nOne,Two") }],
      "We can't import this file: a.csv has no column for a text (“content”, “description”, “body”, “text” or “html”); it has “title”, “words”",
    ],
    [
      [{ name: "a.txt.bak", bytes: bytes("One,Two") }],
      "We can't import this file: a.txt.bak isn't from a product we support. Please choose a CHANGELOG.md, GitHub’s releases, a feed, Markdown files or a zip of them, or another product’s export",
    ],
  ])("%#", (files, sentence) => {
    if (sentence === null) expect(unknownFiles(files)).toMatch(/\S/);
    else expect([adapterFor(files), unknownFiles(files)]).toEqual([null, sentence]);
  });
});

describe("a table", () => {
  const read = (text: string) => {
    const [entry] = csv.read([{ name: "a.csv", bytes: bytes(text) }], { now }).entries;
    const { status, published_at, summary, tags, content } = entry!;
    return { status, published_at, summary, tags, text: content.kind === "html" ? content.text : "" };
  };
  test.each([
    ["title,text,published,status\nA,x,2024-01-01,Draft", { status: "draft" }],
    ["title,text,published,status\nA,x,true,archived", { status: "archived" }],
    ["title,text,status,published\nA,x,Shipped,false", { status: "draft" }],
    ["title,text,state,published\nA,x,,false", { status: "draft" }],
    ["Title,Body,Published\nA,x,2024-01-01", { status: "published", published_at: "2024-01-01T00:00:00.000Z" }],
    ["title,description,content\nA,short,LONG", { summary: "short", text: "<p>LONG</p>" }],
    ["title,description,body\nA,,BODY", { text: "<p>BODY</p>" }],
    ["title,description\nA,words", { summary: null, text: "<p>words</p>" }],
    ['title,text,categories,tags\nA,x,Fix,"ui,api"', { tags: ["Fix", "ui", "api"] }],
  ])("%s", (text, expected) => expect(read(text)).toMatchObject(expected));
});

describe("files chosen together", () => {
  const feed = { name: "feed.xml", bytes: bytes('<rss version="2.0"><channel></channel></rss>') };
  const changelog = { name: "CHANGELOG.md", bytes: bytes("# Changelog\n\n## 1.0.0 - 2024-01-02\n\n- a\n\n## 0.9.0 - 2024-01-01\n\n- b") };
  const picture = { name: "a.png", bytes: bytes("\u0089PNG") };
  const mixed = (...files: SourceFile[]) => mixedFiles(adapterFor(files)!, files);
  test("of different kinds are rejected with advice", () => {
    const then = "are of different kinds. Please import them one after the other";
    expect(mixed(feed, changelog)).toBe(`feed.xml and CHANGELOG.md ${then}`);
    expect(mixed(changelog, feed)).toBe(`CHANGELOG.md and feed.xml ${then}`);
  });
  test("that belong together are read", () => {
    const post = { name: "b.md", bytes: bytes("# B\n\nWords.") };
    expect([mixed(feed, feed), mixed(changelog, post), mixed(post, picture), mixed(changelog)]).toEqual([null, null, null, null]);
    expect(mixed({ ...post, name: "site/b.md" }, { ...feed, name: "site/feed.xml" })).toBeNull();
  });
});
