import { markdownLine } from "#contract/blocks/inline-to-markdown.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { readDetails } from "#contract/rules/post-details.ts";
import type { Proposal } from "#contract/reviews.ts";
import { findPost } from "../../posts/queries.ts";
import { readPlace } from "../../public-place.ts";
import { readStanding } from "../../reviews/queries.ts";
import { dataNotice, factsOf, fenced, toolPostOf } from "../present.ts";
import type { Run } from "../tool.ts";

export const getPost: Run<"get_post"> = async (call, { id }) => {
  const { db, env } = call;
  const [row, approval, place] = await Promise.all([findPost(db, id), readStanding(db, id), readPlace(db, call.key.workspaceId)]);
  const markdown = blocksToMarkdown(cleanBlocks(row.content_raw), { base: env.publicUrl, whole: true });
  const { button, pinned_until, expires_at } = readDetails(row.details);
  const post = { ...toolPostOf(call, row, place), button, pinned_until, expires_at };
  const review = approval.reviews.find(({ state }) => state === "waiting") ?? null;
  const proposals = approval.proposals.filter(({ state }) => state === "waiting");
  const waiting = [
    ...(review === null ? [] : [`- A review of version ${review.version}, requested at ${review.asked_at}`]),
    ...proposals.map(
      (proposal: Pick<Proposal, "title" | "base_version">) =>
        `- A proposal based on version ${proposal.base_version}: ${markdownLine(proposal.title)}`,
    ),
  ];
  const text = [
    dataNotice,
    `# ${markdownLine(post.title)}`,
    factsOf(post),
    ...(waiting.length === 0 ? [] : [`Waiting for a decision:\n${waiting.join("\n")}`]),
    fenced(markdown),
  ];
  return { text: text.join("\n\n"), structured: { post: { ...post, markdown }, waiting: { review, proposals } } };
};
