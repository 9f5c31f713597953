import { beforeAll, describe, expect, test } from "vitest";
import { newPost, newTeam, paragraph, type ShownPost, sql, type Team } from "./support/people.ts";

interface Kept {
  id?: string;
  data: { text?: string };
}
const words = ["One", "Two", "Two"];
const without = () => ({ blocks: words.map((text) => ({ type: "paragraph", data: { text } })) });
const idsIn = (content: { blocks: Kept[] }) => content.blocks.map(({ id }) => id);

let team: Team;
beforeAll(async () => {
  team = await newTeam();
});
/** As the database has it. */
async function storedIds(postId: string): Promise<(string | undefined)[]> {
  const [row] = await sql<{ content_raw: { blocks: Kept[] } }[]>`select content_raw from public.posts where id = ${postId}`;
  return idsIn(row!.content_raw);
}
async function expectIds(postId: string, count = words.length): Promise<(string | undefined)[]> {
  const ids = await storedIds(postId);
  expect(ids).toHaveLength(count);
  expect(ids.every((id) => /^[\w-]{1,40}$/.test(id ?? ""))).toBe(true);
  expect(new Set(ids).size).toBe(count);
  return ids;
}
/** A row of before blocks had ids, or written past the API. */
async function oldPost(): Promise<string> {
  const { id } = await newPost(team.editor, team.workspaceId);
  await sql`update public.posts set content_raw = ${without() as never} where id = ${id}`;
  expect(await storedIds(id)).toEqual([undefined, undefined, undefined]);
  return id;
}
const read = async (id: string) => (await team.editor.api.get<{ post: ShownPost }>(`/api/posts/${id}`)).body.post;

describe("every block has an id of its own after its first save", () => {
  test("through the API, made and saved, by hand or by itself", async () => {
    const made = await newPost(team.editor, team.workspaceId, { blocks: without() });
    await expectIds(made.id);
    const itself = await newPost(team.editor, team.workspaceId, { blocks: without(), autosave: true, title: "" });
    await expectIds(itself.id);
    for (const autosave of [false, true]) {
      const id = await oldPost();
      const { version } = await read(id);
      const body = { content_raw: JSON.stringify(without()), version, autosave };
      expect((await team.editor.api.put(`/api/posts/${id}`, body)).status).toBe(200);
      await expectIds(id);
    }
  });

  test("a row without them gets them when it is saved next, and keeps them from then on", async () => {
    const id = await oldPost();
    const shown = await read(id);
    const save = async (content_raw: string) =>
      expect((await team.editor.api.put(`/api/posts/${id}`, { content_raw, version: (await read(id)).version })).status).toBe(200);
    await save(shown.content_raw);
    const first = await expectIds(id);
    const content = JSON.parse((await read(id)).content_raw) as { blocks: Kept[] };
    content.blocks[1]!.data.text = "Two, edited";
    await save(
      JSON.stringify({ ...content, blocks: [content.blocks[2], ...paragraph("New").blocks, content.blocks[1], content.blocks[0]] }),
    );
    const [moved, made, edited, last] = await expectIds(id, 4);
    expect([last, edited, moved]).toEqual(first);
    expect(first).not.toContain(made);
  });
});
