import { expect, test } from "vitest";
import type { Thread } from "#contract/comments.ts";
import { caughtMails } from "./support/mails.ts";
import { newPost, newTeam, newThread, type Person } from "./support/people.ts";

const said = (thread: Thread): string[] => thread.comments.map(({ name, text }) => `${name}: ${text}`);
const answer = (person: Person, post: string, thread: string, text: string) =>
  person.api.post<{ thread: Thread }>(`/api/posts/${post}/threads/${thread}/comments`, { text });

test("threads are returned with the post on request, and separately", async () => {
  const team = await newTeam();
  const { id } = await newPost(team.editor, team.workspaceId);
  const thread = await newThread(team.editor, id, { text: "Is this so?" });
  await answer(team.owner, id, thread.id, "It is.");
  const together = await team.viewer.api.get<{ post: { id: string }; threads: Thread[] }>(`/api/posts/${id}?threads=true`);
  expect(together.status).toBe(200);
  expect(together.body.post.id).toBe(id);
  expect(together.body.threads.map(said)).toEqual([[expect.stringContaining("Is this so?"), expect.stringContaining("It is.")]]);
  expect((await team.viewer.api.get<object>(`/api/posts/${id}`)).body).not.toHaveProperty("threads");
  expect((await team.viewer.api.get<{ threads: Thread[] }>(`/api/posts/${id}/threads`)).body.threads).toEqual(together.body.threads);
});

test("a comment that is too long, empty, or on an unknown block is refused with a sentence at its field", async () => {
  const team = await newTeam();
  const { id } = await newPost(team.editor, team.workspaceId);
  for (const [body, fields] of [
    [{ text: "x".repeat(20_000) }, { text: "A comment can have at most 5,000 characters" }],
    [{ text: " \n " }, { text: "Please write a comment" }],
    [{ text: "\u200b\u202e\u2060" }, { text: "Please write a comment" }],
    [{}, { text: "Please write a comment" }],
    [{ text: "x", block_id: "a b" }, { block_id: expect.any(String) }],
    [{ text: "x", mentions: ["nobody"] }, { "mentions.0": expect.any(String) }],
  ] as const) {
    const refused = await team.editor.api.post<object>(`/api/posts/${id}/threads`, body);
    expect([refused.status, refused.body.code]).toEqual([422, "validation_failed"]);
    expect(refused.body.fields).toMatchObject(fields);
  }
  expect((await team.editor.api.get<{ threads: Thread[] }>(`/api/posts/${id}/threads`)).body.threads).toEqual([]);
});

test("a mention sends an email that links to the thread", async () => {
  const team = await newTeam();
  const { id } = await newPost(team.editor, team.workspaceId, { title: "Dark mode" });
  const thread = await newThread(team.editor, id, { text: "@owner please look", mentions: [team.owner.id] });
  await expect.poll(() => caughtMails(team.owner.email), { timeout: 20_000, interval: 200 }).toHaveLength(1);
  const [mail] = await caughtMails(team.owner.email);
  expect(mail).toMatchObject({ subject: "Edda Editor mentioned you in “Dark mode”", text: expect.stringContaining("@owner please look") });
  expect(mail!.links).toContainEqual(expect.stringContaining(`/workspace/${team.workspaceId}/changelog/edit/${id}?thread=${thread.id}`));
  expect(await caughtMails(team.editor.email)).toEqual([]);
});
