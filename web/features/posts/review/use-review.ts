import { useEffect } from "react";
import type { Post } from "#contract/posts.ts";
import type { PostStatus, Role } from "#contract/kinds.ts";
import { type Proposal, type ProposalSummary, type Review, reviewEndpoints, type ReviewRule } from "#contract/reviews.ts";
import { call } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import type { EditorCommand } from "../toolbar/editor-actions.tsx";
import { onReviews } from "./review-events.ts";

/** How a post stands with those who approve, for the person who has it open. */
export interface Standing {
  /** What this person writes readers see only once somebody else has said yes. */
  needsApproval: boolean;
  /** Owners and administrators accept what others propose. */
  mayApprove: boolean;
  /** The review that waits is this person's to decide. */
  mayDecide: boolean;
  reviews: readonly Review[];
  proposals: readonly ProposalSummary[];
  reload(): void;
}

/** Whether somebody with this role is approved under a rule: as private.publishes_alone says. */
export const isApproved = (rule: ReviewRule | undefined, role: Role | null): boolean =>
  (rule === "editors" && role === "editor") || (rule === "all" && (role === "editor" || role === "admin"));

export function useReview(workspaceId: string, post: Pick<Post, "id" | "version"> | null, role: Role | null): Standing {
  const postId = post?.id ?? null;
  const rule = useCall(reviewEndpoints.rule, { params: { workspaceId } }, quiet);
  const { data, mutate } = useCall(reviewEndpoints.standing, postId === null ? null : { params: { id: postId } }, quiet);
  useEffect(() => onReviews((changed) => void (changed === postId && mutate())), [postId, mutate]);
  // A change makes void what was asked and approved, whoever makes it.
  const [latest] = data?.reviews ?? [];
  const voided = latest !== undefined && (latest.state === "waiting" || latest.state === "approved") && post!.version > latest.version;
  const changed = voided ? post!.version : null;
  useEffect(() => {
    if (changed !== null) void mutate();
  }, [changed, mutate]);
  return {
    needsApproval: isApproved(data?.rule ?? rule.data?.rule, role),
    mayApprove: role === "owner" || role === "admin",
    mayDecide: data?.may_decide === true,
    reviews: data?.reviews ?? [],
    proposals: data?.proposals ?? [],
    reload: () => void mutate(),
  };
}

/** The page works without it: where it cannot be read the server still decides. */
const quiet = { shouldRetryOnError: false };

/** Whether there is anything to say. */
export const hasNews = ({ needsApproval, reviews, proposals }: Standing): boolean =>
  needsApproval || reviews.length > 0 || proposals.some(({ state }) => state === "waiting");

/** Somebody was asked, or it goes out anyway: it is not the next thing to do to ask, or to publish it past them. */
export const isAsked = ({ reviews: [latest], needsApproval }: Standing, status: PostStatus | null): boolean =>
  latest?.state === "waiting" || (needsApproval && status === "scheduled");

/** What is asked for in the place of what a person needs approval for. */
export function instead(command: EditorCommand, standing: Standing, status: PostStatus | null): EditorCommand {
  if (!standing.needsApproval) return command;
  if (command === "publish" || command === "schedule") return "ask";
  return command === "save" && status === "published" ? "propose" : command;
}

export async function readProposal(postId: string, proposalId: string): Promise<Proposal> {
  return (await call(reviewEndpoints.proposal, { params: { id: postId, proposalId } })).proposal;
}
