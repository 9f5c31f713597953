import { expect, inject, test } from "vitest";
import { importEndpoints } from "#contract/imports.ts";
import { pathOfFile, type KeptImage, withImages } from "#importers/images.ts";
import { markdown } from "#importers/adapters/markdown.ts";
import { prepare } from "#importers/to-post.ts";
import { as } from "./support/client.ts";
import { imagesOf } from "./support/images.ts";
import { newPost, newTeam, type Person, sql } from "./support/people.ts";

const { url } = inject("stack");

interface Row {
  title: string;
  slug: string;
  status: string;
  tags: string[];
  summary: string | null;
  cover_image: { url: string; alt?: string; width?: number; height?: number } | "none" | null;
  author_name: string | null;
  published_at: Date | null;
  publish_at: Date | null;
  blocks: unknown[];
  external_id: string | null;
}

async function upload(person: Person, workspaceId: string, bytes: Uint8Array): Promise<KeptImage> {
  const { body } = await person.api.upload<{ file: KeptImage }>(`/api/workspaces/${workspaceId}/editor/image-upload`, bytes);
  return { ...body.file, url: new URL(body.file.url, url).pathname };
}

/** The posts of a workspace as far as they are the same wherever they are: without ids, and images by their sizes alone. */
async function postsOf(workspaceId: string): Promise<Row[]> {
  const rows = await sql<Row[]>`
    select title, slug, status, tags, summary, cover_image, author_name, published_at, publish_at, content_raw -> 'blocks' as blocks, external_id
    from public.posts where workspace_id = ${workspaceId} order by slug`;
  const text = JSON.stringify(rows)
    .replaceAll(/"id":"[^"]*",/g, "")
    .replaceAll(/\/post-images\/[\w-]+\/[\w-]+/g, "/post-images/image");
  return JSON.parse(text) as Row[];
}

test("a workspace that is exported as Markdown and imported into another one is the same there: texts, dates, tags, covers, addresses", async () => {
  const [from, to] = await Promise.all([newTeam(), newTeam()]);
  const [first, second] = [
    await upload(from.owner, from.workspaceId, imagesOf(30, 20).png),
    await upload(from.owner, from.workspaceId, imagesOf(40, 10).png),
  ];
  await from.owner.api.post(`/api/workspaces/${from.workspaceId}/tags`, { label: "Big News", colour: "red" });
  const blocks = [
    { type: "header", data: { text: "What is <u>new</u>", level: 3 } },
    { type: "paragraph", data: { text: 'Search is <b>twice</b> as <i>fast</i>: <a href="https://example.com/a">look</a><br>so.' } },
    { type: "image", data: { file: first, alt: "A graph", caption: "By <b>week</b>", width: 50, withBorder: true } },
    { type: "code", data: { code: `![](${first.url})\n---\n# no heading`, language: "md" } },
    { type: "list", data: { style: "checklist", items: [{ content: "done", meta: { checked: true }, items: [] }] } },
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
  ];
  const content = { time: 0, version: "2.28.2", blocks };
  const make = (fields: object) => newPost(from.editor, from.workspaceId, fields as Record<string, unknown>);
  await make({
    title: 'Out: "now" # [x] 日本',
    status: "published",
    tags: ["big-news", "fix", "docs"],
    summary: "In: short.",
    blocks: content,
    cover_image: { ...second, alt: "A cover" },
  });
  const { id: dated } = await make({ title: "Long ago", status: "published", cover_image: "none" });
  await sql`update public.posts set published_at = '2017-03-04T05:06:07.891Z' where id = ${dated}`;
  const { id: renamed } = await make({ title: "Renamed", status: "published" });
  await sql`update public.posts set slug = 'another-address' where id = ${renamed}`;
  await make({ title: "Soon", status: "scheduled", publish_at: "2027-01-01T09:00:00.000Z" });
  await make({ title: "An idea", status: "draft", blocks: content });
  const { id: gone } = await make({ title: "Gone", status: "published" });
  await sql`update public.posts set status = 'archived' where id = ${gone}`;

  const answer = await fetch(`${url}/api/workspaces/${from.workspaceId}/export?format=markdown`, {
    headers: { authorization: `Bearer ${from.owner.token}` },
  });
  const source = markdown.read([{ name: "tidings.zip", bytes: new Uint8Array(await answer.arrayBuffer()) }], { now: new Date() });
  expect([source.entries.length, source.notes, source.images.size]).toEqual([6, [], 2]);

  const place = `/api/workspaces/${to.workspaceId}/imports`;
  const begun = { source: "markdown", name: "tidings.zip", total: source.entries.length };
  const { import: made } = as(importEndpoints.begin, await to.owner.api.post(place, begun));
  const kept = new Map<string, KeptImage>();
  const entries = [];
  for (const entry of source.entries) {
    const prepared = await prepare(entry, { now: new Date(), workspace: to.workspaceId });
    expect([entry.title, prepared.losses, prepared.problem]).toEqual([entry.title, [], null]);
    for (const image of prepared.images)
      if (!kept.has(image)) kept.set(image, await upload(to.owner, to.workspaceId, source.images.get(pathOfFile(image)!)!));
    entries.push(withImages(prepared, kept).post);
  }
  const written = as(importEndpoints.write, await to.owner.api.put(`${place}/${made.id}/entries`, { entries }));
  expect(written.entries.map(({ outcome, problem }) => [outcome, problem])).toEqual(entries.map(() => ["made", null]));

  const [before, after] = [await postsOf(from.workspaceId), await postsOf(to.workspaceId)];
  expect(after.map(({ external_id }) => external_id)).toEqual(expect.arrayContaining([expect.stringMatching(/^tidings:/)]));
  const same = (rows: Row[]) => rows.map(({ external_id: _, ...row }) => row);
  expect(same(after)).toEqual(same(before));
});
