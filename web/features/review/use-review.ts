import { useEffect } from "react";
import type { Post } from "#contract/posts.ts";
import type { PostStatus, Role } from "#contract/kinds.ts";
import { type Proposal, type ProposalSummary, type Review, reviewEndpoints, type ReviewRule } from "#contract/reviews.ts";
import { call } from "../../lib/api-client.ts";
import { useCall } from "../../lib/use-call.ts";
import type { EditorCommand } from "../editor/toolbar/editor-actions.tsx";
import { onReviews } from "./review-events.ts";

export interface ReviewState {
  needsApproval: boolean;
  canApprove: boolean;
  canDecide: boolean;
  reviews: readonly Review[];
  proposals: readonly ProposalSummary[];
}

/** True if a role needs approval under a rule, as in private.publishes_alone. */
export const roleNeedsApproval = (rule: ReviewRule | undefined, role: Role | null): boolean =>
  (rule === "editors" && role === "editor") || (rule === "all" && (role === "editor" || role === "admin"));

export function useReview(workspaceId: string, post: Pick<Post, "id" | "version"> | null, role: Role | null): ReviewState {
  const postId = post?.id ?? null;
  const rule = useCall(reviewEndpoints.rule, { params: { workspaceId } }, noRetry);
  const { data, mutate } = useCall(reviewEndpoints.standing, postId === null ? null : { params: { id: postId } }, noRetry);
  useEffect(() => onReviews((changed) => void (changed === postId && mutate())), [postId, mutate]);
  // Any change invalidates a pending or approved review.
  const [latest] = data?.reviews ?? [];
  const isVoid = latest !== undefined && (latest.state === "waiting" || latest.state === "approved") && post!.version > latest.version;
  const changed = isVoid ? post!.version : null;
  useEffect(() => {
    if (changed !== null) void mutate();
  }, [changed, mutate]);
  return {
    needsApproval: roleNeedsApproval(data?.rule ?? rule.data?.rule, role),
    canApprove: role === "owner" || role === "admin",
    canDecide: data?.may_decide === true,
    reviews: data?.reviews ?? [],
    proposals: data?.proposals ?? [],
  };
}

/** Optional data: without it the server still decides. */
const noRetry = { shouldRetryOnError: false };

export const hasReviewInfo = ({ needsApproval, reviews, proposals }: ReviewState): boolean =>
  needsApproval || reviews.length > 0 || proposals.some(({ state }) => state === "waiting");

export const isApprovalRequested = ({ reviews: [latest], needsApproval }: ReviewState, status: PostStatus | null): boolean =>
  latest?.state === "waiting" || (needsApproval && status === "scheduled");

/** The command to run instead of one that needs approval. */
export function commandFor(command: EditorCommand, standing: ReviewState, status: PostStatus | null): EditorCommand {
  if (!standing.needsApproval) return command;
  if (command === "publish" || command === "schedule") return "ask";
  return command === "save" && status === "published" ? "propose" : command;
}

export async function readProposal(postId: string, proposalId: string): Promise<Proposal> {
  return (await call(reviewEndpoints.proposal, { params: { id: postId, proposalId } })).proposal;
}
