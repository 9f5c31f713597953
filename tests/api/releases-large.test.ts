import { beforeAll, describe, expect, test } from "vitest";
import { feedAt, formats } from "./support/feeds.ts";
import { newPerson } from "./support/people.ts";
import { newPost, openWorkspace, visit } from "./support/public.ts";

const longest = Array.from({ length: 6 }, () => ({ type: "paragraph", data: { text: "x".repeat(45_000) } }));
const costly = Array.from({ length: 6 }, () => ({ type: "paragraph", data: { text: '"'.repeat(45_000) } }));

let acme: { id: string; subdomain: string };
beforeAll(async () => {
  const owner = await newPerson("Ada Lovelace");
  acme = await openWorkspace(owner);
  const short = [{ type: "paragraph", data: { text: "Short." } }];
  for (let n = 1; n <= 20; n++) {
    const blocks = n === 20 ? short : n === 19 ? longest : costly;
    await newPost(owner, acme.id, { title: `Post ${n}`, blocks, publishedAt: new Date(Date.UTC(2026, 0, n, 9)).toISOString() });
  }
});

describe.each(formats)("the $name feed of a workspace with the longest posts", ({ path }) => {
  test("stays below a megabyte: further posts are excerpts with a link", async () => {
    const { body } = await visit(acme.subdomain, path);
    expect(body.length).toBeLessThan(1_000_000);
    const { entries } = await feedAt(acme.subdomain, path);
    expect(entries).toHaveLength(20);
    expect(entries.map(({ content }) => content.length > 100_000)).toEqual([false, true, ...Array<boolean>(18).fill(false)]);
    expect(entries[0]?.content).toBe("<p>Short.</p>");
    const last = entries.at(-1);
    expect(last?.content).toContain(`<p><a rel="noopener" href="${last?.url}">Read the full post</a></p>`);
  });
});
