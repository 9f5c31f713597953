import { beforeEach, describe, expect, test } from "vitest";
import { reviewEndpoints } from "#contract/reviews.ts";
import { as } from "./support/client.ts";
import { newPost, newTeam, paragraph, type Person, type ShownPost, type Team } from "./support/people.ts";

let team: Team;
beforeEach(async () => {
  team = await newTeam();
  await team.owner.api.put(`/api/workspaces/${team.workspaceId}/review`, { rule: "editors" });
});

const waiting = async (person: Person) => as(reviewEndpoints.waiting, await person.api.get(`/api/workspaces/${team.workspaceId}/waiting`));

describe("a proposal", () => {
  const proposed = (text: string) => ({ version: 1, title: "Proposed", tags: ["fix"], content_raw: JSON.stringify(paragraph(text)) });
  const propose = async (post: ShownPost, text = "Proposed words.") =>
    as(reviewEndpoints.propose, await team.editor.api.post(`/api/posts/${post.id}/proposals`, proposed(text))).proposal;

  test("can be made by an editor for a live post, and readers see it once it is accepted", async () => {
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

  test("is sanitized like a post, and refused at the field", async () => {
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
