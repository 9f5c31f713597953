import type { Block } from "#contract/blocks/block-types.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { mergeVersions, settle } from "#contract/merge/merge-versions.ts";
import type { Choice, Version } from "#contract/merge/types.ts";
import { type Proposal, reviewEndpoints } from "#contract/reviews.ts";
import { call } from "../../../lib/api-client.ts";
import { readRevision } from "../history/revision-calls.ts";
import { readPost } from "../post-calls.ts";

type Kept = Pick<Proposal, "title" | "summary" | "tags" | "cover_image" | "content_raw">;

const contentOf = ({ content_raw }: Pick<Kept, "content_raw">): CleanedContent => giveIds(JSON.parse(content_raw) as CleanedContent);
const versionOf = (one: Kept): Version => ({
  title: one.title,
  summary: one.summary ?? "",
  cover: one.cover_image,
  tags: one.tags,
  blocks: contentOf(one).blocks,
});

/**
 * Brings what the post has become since into one's own proposal, block by block; where both changed the same, the proposal stays. Answers in how
 * many places that was: who accepts it sees them. Throws an ApiError.
 */
export async function bringUpToDate(postId: string, proposal: Proposal): Promise<number> {
  const [base, present] = await Promise.all([readRevision(postId, proposal.base_version), readPost(postId)]);
  const merge = mergeVersions(versionOf(base), versionOf(proposal), versionOf(present));
  const blocks = Object.fromEntries(
    merge.blocks.flatMap((place): [string, Choice][] => ("collision" in place ? [[place.collision.id, "mine"]] : [])),
  );
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
