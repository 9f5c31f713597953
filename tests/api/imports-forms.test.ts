import { expect, inject, test } from "vitest";
import { markdown } from "#importers/adapters/markdown.ts";
import { tidings } from "#importers/adapters/tidings.ts";
import type { Adapter } from "#importers/entry.ts";
import { linksBetween } from "#importers/markdown/file-links.ts";
import { importEndpoints } from "#contract/imports.ts";
import { prepare } from "#importers/to-post.ts";
import { as } from "./support/client.ts";
import { imagesOf } from "./support/images.ts";
import { newPost, newTeam, sql } from "./support/people.ts";
import { setPublic, visit } from "./support/public.ts";

const { url } = inject("stack");

test("a post is the same one, in whichever form of a workspace's export it comes", async () => {
  const { owner, editor, workspaceId } = await newTeam();
  const picture = async () =>
    new URL(
      (await owner.api.upload<{ file: { url: string } }>(`/api/workspaces/${workspaceId}/editor/image-upload`, imagesOf(30, 20).png)).body
        .file.url,
      url,
    ).pathname;
  const [shown, cover] = [await picture(), await picture()];
  const blocks = [
    { type: "header", data: { text: "What is <u>new</u>", level: 3 } },
    { type: "paragraph", data: { text: 'Search is <b>twice</b> as <i>fast</i>: <a href="https://example.com/a">look</a><br>so.' } },
    { type: "image", data: { file: { url: shown, width: 30, height: 20 }, alt: "A graph", caption: "By <b>week</b>", width: 50 } },
    { type: "list", data: { style: "unordered", items: [{ content: "one", items: [{ content: "two", items: [] }] }] } },
    { type: "callout", data: { kind: "warning", text: "Mind <b>this</b>" } },
  ];
  const make = (fields: Record<string, unknown>) => newPost(editor, workspaceId, fields);
  await make({ title: "Out now", status: "published", tags: ["fix"], blocks, cover_image: { url: cover, alt: "A cover" } });
  const { id } = await make({ title: "Renamed", status: "published", summary: "In short", cover_image: "none" });
  await sql`update public.posts set slug = 'another-address' where id = ${id}`;
  await make({ title: "Soon", status: "scheduled", publish_at: "2027-01-01T09:00:00.000Z" });
  await make({ title: "An idea", status: "draft" });
  const { id: gone } = await make({ title: "Gone", status: "published" });
  await sql`update public.posts set status = 'archived' where id = ${gone}`;

  const now = new Date();
  const fingerprints = async (adapter: Adapter, name: string, query: string) => {
    const answer = await fetch(`${url}/api/workspaces/${workspaceId}/export${query}`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const { entries } = adapter.read([{ name, bytes: new Uint8Array(await answer.arrayBuffer()) }], { now });
    const prepared = await Promise.all(entries.map((entry) => prepare(entry, { now })));
    return Object.fromEntries(prepared.map(({ post: { title, fingerprint } }) => [title, fingerprint]));
  };
  const whole = await fingerprints(tidings, "tidings.json", "");
  expect(Object.keys(whole)).toHaveLength(5);
  expect(await fingerprints(markdown, "tidings.zip", "?format=markdown")).toEqual(whole);
});

test("a link between two files leads to the post that the other became, also where its address was taken", async () => {
  const { owner, editor, workspaceId, subdomain } = await newTeam();
  await setPublic(workspaceId, true);
  await newPost(editor, workspaceId, { title: "Second", status: "published" });
  const page = `http://${subdomain}.localhost:${new URL(url).port}/releases`;
  const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(`---\ndate: 2024-01-02\n---\n${text}`) });
  const files = [file("notes/first.md", "# First\n\n[the other](../more/second.md#part)"), file("more/second.md", "# Second\n\nWords.")];
  const { entries } = markdown.read(files, { now: new Date() });
  const links = linksBetween(entries, page);
  const posts = await Promise.all(entries.map(async (entry) => (await prepare(entry, { now: new Date(), links })).post));
  expect(JSON.stringify(posts[0]!.blocks)).toContain(`${page}/files/more/second#part`);

  const place = `/api/workspaces/${workspaceId}/imports`;
  const { import: begun } = as(importEndpoints.begin, await owner.api.post(place, { source: "markdown", name: "notes", total: 2 }));
  const { entries: written } = as(importEndpoints.write, await owner.api.put(`${place}/${begun.id}/entries`, { entries: posts }));
  expect(written.map(({ outcome }) => outcome)).toEqual(["made", "made"]);
  const answer = await visit(subdomain, "/releases/files/more/second");
  expect([answer.status, answer.headers.location]).toEqual([301, "/releases/second-2"]);
});
