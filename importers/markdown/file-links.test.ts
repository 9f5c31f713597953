import { expect, test } from "vitest";
import { linksBetween } from "./file-links.ts";
import { markdown } from "../adapters/markdown.ts";
import { prepare } from "../to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const page = "https://acme.example/releases";

async function read(files: Record<string, string>) {
  const chosen = Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }));
  const { entries } = markdown.read(chosen, { now });
  const links = linksBetween(entries, page);
  const prepared = await Promise.all(entries.map((entry) => prepare(entry, { now, links })));
  return prepared.map(({ post, losses }) => ({ text: JSON.stringify(post.blocks), losses, old_urls: post.old_urls }));
}
const facts = "---\ndate: 2024-01-02\n---\n";

test.each([
  ["[b](./second.md)", "second.md", "/files/second"],
  ["[b](second.md#part 'Title')", "second.md", "/files/second", "#part"],
  ["[b](<more/second file.md>)", "more/second file.md", "/files/more/second%20file"],
  [
    "[b](Second%20page%200123456789abcdef0123456789abcdef.md)",
    "Second page 0123456789abcdef0123456789abcdef.md",
    "/files/Second%20page%200123456789abcdef0123456789abcdef",
  ],
  ["[b][x]\n\n[x]: second.md", "second.md", "/files/second"],
  ['<a href="second.md">b</a>', "second.md", "/files/second"],
  ["![](x.png)[c](https://a.example/second.md)[b](second(1).md)", "second(1).md", "/files/second(1)"],
])("%s links to the post of %s", async (text, name, path, fragment = "") => {
  const [first, second] = await read({ "first.md": `${facts}# A\n\n${text}`, [name]: `${facts}# B\n\nBack: [a](no.md)` });
  expect(first!.text).toContain(`<a href=\\"${page}${path}${fragment}\\">b</a>`);
  expect(first!.losses.filter((loss) => loss.includes("nowhere"))).toEqual([]);
  expect(first!.old_urls).toEqual([]);
  expect(second!.old_urls).toEqual([page + path]);
  expect(second!.losses).toEqual(["A link has no target here and is now text: no.md"]);
});

test("resolves paths from the file's folder", async () => {
  const [first] = await read({ "a/first.md": `${facts}# A\n\n[b](../b/second.md)`, "b/second.md": `${facts}# B\n\nWords.` });
  expect(first!.text).toContain(`${page}/files/b/second`);
});

test("parses many unresolved links quickly", () => {
  const text = `](${"y".repeat(398)}`.repeat(2_500) + "](<".repeat(100_000) + "x".repeat(500_000);
  const entries = markdown.read(
    ["a.md", "b.md"].map((name) => ({ name, bytes: new TextEncoder().encode(text) })),
    { now },
  ).entries;
  expect(linksBetween(entries, page).size).toBe(0);
});

test("distinguishes files by extension", async () => {
  const [first, second, third] = await read({
    "a.md": `${facts}# A\n\n[one](x.md) [two](x.mdx)`,
    "x.md": `${facts}# X\n\nWords.`,
    "x.mdx": `${facts}# Y\n\nWords.`,
  });
  expect(first!.text).toContain(`${page}/files/x\\">one`);
  expect(first!.text).toContain(`${page}/files/x.mdx\\">two`);
  expect([second, third].map((post) => post!.old_urls)).toEqual([[`${page}/files/x`], [`${page}/files/x.mdx`]]);
});
