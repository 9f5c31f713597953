import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { reviewEndpoints } from "#contract/reviews.ts";
import { v1ReviewEndpoints } from "#contract/v1/reviews.ts";
import { as } from "./support/client.ts";
import { newKey, newPost, newTeam, paragraph, type Person, type ShownPost, sql, type Team } from "./support/people.ts";

/** What a call does stands in tests/database/410-reviews.test.ts; this is how it is asked, answered and refused over HTTP. */
let team: Team;
beforeEach(async () => {
  team = await newTeam();
  await team.owner.api.put(`/api/workspaces/${team.workspaceId}/review`, { rule: "editors" });
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const ask = async (person: Person, post: ShownPost, fields: object = {}) =>
  as(reviewEndpoints.ask, await person.api.post(`/api/posts/${post.id}/reviews`, { version: post.version, ...fields })).review;
const decide = (person: Person, post: ShownPost, review: string, decision: "approve" | "refuse", note?: string) =>
  person.api.post(`/api/posts/${post.id}/reviews/${review}/decision`, { version: post.version, decision, note });
const standing = async (person: Person, post: { id: string }) =>
  as(reviewEndpoints.standing, await person.api.get(`/api/posts/${post.id}/reviews`));
const waiting = async (person: Person) => as(reviewEndpoints.waiting, await person.api.get(`/api/workspaces/${team.workspaceId}/waiting`));

test("an editor asks, is refused with a note, changes it, asks again, and an administrator publishes it", async () => {
  const draft = await newPost(team.editor, team.workspaceId);
  expect(await team.editor.api.put(`/api/posts/${draft.id}`, { status: "published" })).toMatchObject({
    status: 409,
    body: { code: "review_required", error: "A second person approves posts here before readers see them. Ask for approval first." },
  });
  expect(await standing(team.editor, draft)).toMatchObject({ rule: "editors", exempt: false, may_decide: false, reviews: [] });
  const first = await ask(team.editor, draft, { note: "For Monday" });
  expect(first).toMatchObject({ state: "waiting", version: 1, note: "For Monday", asked_by_name: "Edda Editor", publish_at: null });
  expect(await standing(team.admin, draft)).toMatchObject({ exempt: true, may_decide: true });
  expect((await waiting(team.admin)).reviews.map(({ id, title }) => [id, title])).toEqual([[first.id, "Hello"]]);

  const no = as(reviewEndpoints.decide, await decide(team.admin, draft, first.id, "refuse", "A picture is missing."));
  expect(no).toMatchObject({
    review: { state: "refused", decision_note: "A picture is missing.", decided_by_name: "Adam Admin" },
    post: { status: "draft" },
  });
  const changed = (await team.editor.api.put<{ post: ShownPost }>(`/api/posts/${draft.id}`, { title: "With a picture" })).body.post;
  const second = await ask(team.editor, changed);
  const yes = as(reviewEndpoints.decide, await decide(team.admin, changed, second.id, "approve"));
  expect(yes).toMatchObject({
    review: { state: "approved" },
    post: { status: "published", title: "With a picture", content_md: "<p>First words.</p>" },
  });
  expect((await waiting(team.admin)).reviews).toEqual([]);
  expect(await decide(team.owner, changed, second.id, "approve")).toMatchObject({ status: 409, body: { code: "review_over" } });
});

test("what was asked for a time is scheduled, and a change of it by an editor is a draft again", async () => {
  const draft = await newPost(team.editor, team.workspaceId);
  const at = inAnHour();
  const review = await ask(team.editor, draft, { publish_at: at });
  const { post } = as(reviewEndpoints.decide, await decide(team.owner, draft, review.id, "approve"));
  expect(post).toMatchObject({ status: "scheduled", publish_at: at });
  const saved = await team.editor.api.put(`/api/posts/${draft.id}`, {
    title: "One more word",
    version: post.version,
    publish_at: at,
    status: "scheduled",
  });
  expect(saved).toMatchObject({ status: 200, body: { post: { status: "draft", publish_at: null, title: "One more word" } } });
  expect((await standing(team.editor, draft)).reviews[0]).toMatchObject({ state: "void" });
  expect((await team.editor.api.put(`/api/posts/${draft.id}`, { publish_at: at })).body.code).toBe("review_required");
});

test("who asked, who wrote it, editors and keys approve nothing", async () => {
  const draft = await newPost(team.admin, team.workspaceId);
  const review = await ask(team.editor, draft);
  expect((await decide(team.editor, draft, review.id, "approve")).body.code).toBe("forbidden");
  expect((await decide(team.admin, draft, review.id, "approve")).body.code).toBe("own_review");
  // Past /api, at PostgREST, with the editor's own token.
  const { url, publishableKey } = inject("stack");
  const direct = (path: string, body: unknown, method: "POST" | "PATCH" = "POST") =>
    fetch(`${url}/rest/v1/${path}`, {
      method,
      headers: { apikey: publishableKey, authorization: `Bearer ${team.editor.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const published = await direct(`posts?id=eq.${draft.id}`, { status: "published" }, "PATCH");
  expect([published.status, ((await published.json()) as { hint: string }).hint]).toEqual([400, "review_required"]);
  const decided = await direct("rpc/decide_review", {
    post_id: draft.id,
    review_id: review.id,
    version: draft.version,
    decision: "approve",
  });
  expect(((await decided.json()) as { hint: string }).hint).toBe("forbidden");
  for (const table of ["reviews", "review_rules", "proposals"]) {
    expect((await direct(table, { workspace_id: team.workspaceId, rule: "off" })).status).toBe(404);
  }
  const [row] = await sql`select status from public.posts where id = ${draft.id}`;
  expect(row!.status).toBe("draft");
});

test("a key without posts:publish asks, whoever's it is, and its maker does not approve", async () => {
  const { api } = await newKey(team.admin, team.workspaceId, { scopes: ["posts:read", "posts:write"] });
  const made = await api.post<{ post: { id: string; version: number } }>("/api/v1/posts", {
    title: "By the build",
    markdown: "New words.",
  });
  const key = randomUUID();
  const path = `/api/v1/posts/${made.body.post.id}/reviews`;
  const { review } = as(v1ReviewEndpoints.ask, await api.post(path, { note: "2.4" }, { headers: { "idempotency-key": key } }));
  const again = as(v1ReviewEndpoints.ask, await api.post(path, { note: "2.4" }, { headers: { "idempotency-key": key } }));
  expect(again.review.id).toBe(review.id);
  expect(review).toEqual({ ...review, state: "waiting", version: 1, note: "2.4" });
  expect(as(v1ReviewEndpoints.list, await api.get(path)).reviews).toEqual([review]);
  expect(await api.post(path, { note: 5 })).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect((await api.post(path, { version: 9 })).body.code).toBe("version_conflict");
  const post = { ...made.body.post, version: 1 } as ShownPost;
  expect((await decide(team.admin, post, review.id, "approve")).body.code).toBe("own_review");
  expect((await decide(team.owner, post, review.id, "approve")).status).toBe(200);
  const reader = await newKey(team.admin, team.workspaceId, { scopes: ["posts:read"] });
  expect((await reader.api.post(path, {})).body.code).toBe("scope_missing");
});

test("asking again with the same key answers the same review", async () => {
  const draft = await newPost(team.editor, team.workspaceId);
  const headers = { "idempotency-key": randomUUID() };
  const asked = () => team.editor.api.post<{ review: { id: string } }>(`/api/posts/${draft.id}/reviews`, { version: 1 }, { headers });
  const [one, two] = [await asked(), await asked()];
  expect(one.body.review.id).toBe(two.body.review.id);
});

describe("a proposal", () => {
  const proposed = (text: string) => ({ version: 1, title: "Proposed", tags: ["fix"], content_raw: JSON.stringify(paragraph(text)) });
  const propose = async (post: ShownPost, text = "Proposed words.") =>
    as(reviewEndpoints.propose, await team.editor.api.post(`/api/posts/${post.id}/proposals`, proposed(text))).proposal;

  test("is what an editor makes of a live post, seen by readers once it is accepted", async () => {
    const live = await newPost(team.owner, team.workspaceId, { status: "published" });
    const refused = await team.editor.api.put(`/api/posts/${live.id}`, { title: "Changed", version: 1 });
    expect(refused.body.code).toBe("review_required");
    const { id, proposed_at, content_md } = await propose(live);
    expect(content_md).toBe("<p>Proposed words.</p>");
    expect((await waiting(team.admin)).proposals.map((one) => [one.id, one.title, one.post_title])).toEqual([[id, "Proposed", "Hello"]]);
    const path = `/api/posts/${live.id}/proposals/${id}`;
    const changed = as(reviewEndpoints.changeProposal, await team.editor.api.put(path, proposed("Better words."))).proposal;
    const unseen = await team.admin.api.post(`${path}/decision`, { decision: "approve", proposed_at });
    expect(unseen.body.code).toBe("version_conflict");
    const accepted = as(
      reviewEndpoints.decideProposal,
      await team.admin.api.post(`${path}/decision`, { decision: "approve", proposed_at: changed.proposed_at }),
    );
    expect(accepted).toMatchObject({
      proposal: { state: "accepted", decided_by_name: "Adam Admin" },
      post: { version: 2, title: "Proposed", status: "published", content_md: "<p>Better words.</p>" },
    });
  });

  test("is cleaned as a post is, and refused at the field", async () => {
    const live = await newPost(team.owner, team.workspaceId, { status: "published" });
    const { content_md } = await propose(live, `<b>Bold</b><img src="x" onerror="alert(1)">`);
    expect(content_md).toBe("<p><b>Bold</b></p>");
    const wrong = await team.editor.api.post(`/api/posts/${live.id}/proposals`, { ...proposed("x"), title: " ", note: "n".repeat(2_001) });
    expect(wrong).toMatchObject({
      status: 422,
      body: { fields: { title: "Title is required", note: "A note can have at most 2,000 characters" } },
    });
    const empty = await team.editor.api.post(`/api/posts/${live.id}/proposals`, { ...proposed("x"), content_raw: '{"blocks":[]}' });
    expect(empty.body.fields).toEqual({ content_raw: "Content is required" });
    expect((await team.viewer.api.post(`/api/posts/${live.id}/proposals`, proposed("x"))).status).toBe(403);
  });
});
