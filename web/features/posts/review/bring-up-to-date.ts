import type { Block } from "#contract/blocks/block-types.ts";
import { mergeVersions, settle } from "#contract/merge/merge-versions.ts";
import type { Choice } from "#contract/merge/types.ts";
import { type Proposal, reviewEndpoints } from "#contract/reviews.ts";
import { call } from "../../../lib/api-client.ts";
import { readRevision } from "../history/revision-calls.ts";
import { readPost } from "../post-calls.ts";
import { collisionsIn } from "../session/bring-together.ts";
import { contentOf, identifiedOf } from "../session/versions.ts";

/**
 * Brings what the post has become since into one's own proposal, block by block; where both changed the same, the proposal stays. Answers in how
 * many places that was: who accepts it sees them. Throws an ApiError.
 */
export async function bringUpToDate(postId: string, proposal: Proposal): Promise<number> {
  const [base, present] = await Promise.all([readRevision(postId, proposal.base_version), readPost(postId)]);
  const merge = mergeVersions(identifiedOf(base), identifiedOf(proposal), identifiedOf(present));
  const blocks = Object.fromEntries(collisionsIn(merge).map(({ id }): [string, Choice] => [id, "mine"]));
  const settled = settle(merge, { title: "mine", summary: "mine", cover: "mine", blocks });
  if (!settled) throw new Error("something is undecided");
  const { title, summary, cover, tags, blocks: merged } = settled;
  const content = { ...contentOf(proposal), blocks: merged as Block[] };
  await call(reviewEndpoints.changeProposal, {
    params: { id: postId, proposalId: proposal.id },
    body: {
      ...{ version: present.version, title, summary, tags: [...tags], cover_image: cover },
      ...{ content_raw: JSON.stringify(content), note: proposal.note },
    },
  });
  return merge.counts.collisions;
}
