import { expect, test } from "vitest";
import { presentPost, presentText } from "./presenter.ts";
import type { PostRow } from "./queries.ts";
import { ShownContents } from "./shown-contents.ts";

function counted(text: string): { content: object; looks: () => number } {
  let looks = 0;
  const blocks = [{ type: "paragraph", data: { text } }];
  const content = Object.defineProperty({ time: 1, version: "2.28.2" }, "blocks", { enumerable: true, get: () => (looks++, blocks) });
  return { content, looks: () => looks };
}

test("repeated reads neither clean nor render again", async () => {
  const contents = new ShownContents(1_000_000);
  const first = counted("a <b>word</b><script>");
  const shown = await contents.of(first.content);
  expect([first.looks(), shown.content_md]).toEqual([2, "<p>a <b>word</b></p>"]);
  const again = counted("a <b>word</b><script>");
  expect([await contents.of(again.content), again.looks()]).toEqual([shown, 1]);
});

test("concurrent reads share the work", async () => {
  const contents = new ShownContents(1_000_000);
  const reads = Array.from({ length: 20 }, () => counted("together"));
  const shown = await Promise.all(reads.map(({ content }) => contents.of(content)));
  expect(new Set(shown.map(({ content_md }) => content_md))).toEqual(new Set(["<p>together</p>"]));
  expect(reads.reduce((sum, { looks }) => sum + looks(), 0)).toBe(21);
});

test("similar or later content is never confused", async () => {
  const contents = new ShownContents(1_000_000);
  const of = (text: string, time: number) => contents.of({ time, version: "2.28.2", blocks: [{ type: "paragraph", data: { text } }] });
  await of("one", 1);
  expect((await of("two", 1)).content_md).toBe("<p>two</p>");
  expect(JSON.parse((await of("one", 2)).content_raw)).toMatchObject({ time: 2 });
});

test("the least recently used content is evicted over the byte limit", async () => {
  const contents = new ShownContents(4_000);
  const looksAt = async (letter: string): Promise<number> => {
    const { content, looks } = counted(letter.repeat(300));
    await contents.of(content);
    return looks();
  };
  expect([await looksAt("a"), await looksAt("a"), await looksAt("b"), await looksAt("c"), await looksAt("a")]).toEqual([2, 1, 2, 2, 2]);
});

test("posts, versions and proposals use the cache", async () => {
  for (const [kind, present] of [
    ["a post", (content: unknown) => presentPost({ content_raw: content, cover_image: null } as PostRow)],
    ["a version", (content: unknown) => presentText({ content_raw: content, cover_image: null, details: null })],
  ] as const) {
    const [first, again] = [counted(kind), counted(kind)];
    const shown = await present(first.content);
    expect(await present(again.content)).toEqual(shown);
    expect([kind, first.looks(), again.looks()]).toEqual([kind, 2, 1]);
  }
});
