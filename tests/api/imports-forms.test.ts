import { expect, inject, test } from "vitest";
import { markdown } from "#importers/adapters/markdown.ts";
import { tidings } from "#importers/adapters/tidings.ts";
import type { Adapter } from "#importers/entry.ts";
import { prepare } from "#importers/to-post.ts";
import { imagesOf } from "./support/images.ts";
import { newPost, newTeam, sql } from "./support/people.ts";

const { url } = inject("stack");

test("every format of a workspace's export imports the same post", async () => {
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
