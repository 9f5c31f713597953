import type { CleanedContent } from "#contract/blocks/schema.ts";
import type { Proposal, Review, ReviewRule, reviewEndpoints, reviewStanding } from "#contract/reviews.ts";
import type { FieldName } from "#contract/rules/post-content.ts";
import type { PostDetails } from "#contract/rules/post-details.ts";
import type { z } from "zod";
import type { Database } from "../../_shared/clients.ts";
import type { PostRow } from "../posts/queries.ts";
import { json, rows } from "../result.ts";

type Waiting = z.output<typeof reviewEndpoints.waiting.response>;
type Standing = z.output<typeof reviewStanding>;
type Decision = "approve" | "refuse";

export type ProposalRow = Omit<Proposal, "content_raw" | "content_md"> & { content_raw: unknown };
export type ProposedContent = Partial<Pick<Proposal, Exclude<FieldName, "details">>> & { details?: Partial<PostDetails> } & Pick<
    Proposal,
    "title" | "summary" | "tags"
  > & { content_raw: CleanedContent };

export const readRule = (db: Database, workspaceId: string): Promise<ReviewRule> =>
  json(db.rpc("review_rule", { workspace_id: workspaceId }));

export const setRule = (db: Database, workspaceId: string, rule: ReviewRule): Promise<ReviewRule> =>
  json(db.rpc("set_review_rule", { workspace_id: workspaceId, rule }));

export const waitingForMe = (db: Database, workspaceId: string): Promise<Waiting> =>
  json(db.rpc("waiting_for_me", { workspace_id: workspaceId }));

export const readStanding = (db: Database, postId: string): Promise<Standing> => json(db.rpc("review_standing", { post_id: postId }));

export function askReview(
  db: Database,
  postId: string,
  { version, publish_at, note }: { version?: number; publish_at?: string | null; note?: string | null },
  idempotencyKey: string | null,
): Promise<Review> {
  const args = {
    post_id: postId,
    version: version ?? null,
    publish_at: publish_at ?? null,
    note: note ?? null,
    idempotency_key: idempotencyKey,
  };
  return json(db.rpc("ask_review", args));
}

export function decideReview(
  db: Database,
  postId: string,
  reviewId: string,
  { version, decision, note }: { version: number; decision: Decision; note?: string | null },
): Promise<{ review: Review; post: PostRow }> {
  return json(db.rpc("decide_review", { post_id: postId, review_id: reviewId, version, decision, note: note ?? null }));
}

export async function withdrawReview(db: Database, postId: string, reviewId: string): Promise<void> {
  await rows(db.rpc("withdraw_review", { post_id: postId, review_id: reviewId }));
}

export function proposeChange(
  db: Database,
  postId: string,
  { version, note, content }: { version: number; note?: string | null; content: ProposedContent },
  idempotencyKey: string | null,
): Promise<ProposalRow> {
  return json(db.rpc("propose_change", { post_id: postId, version, content, note: note ?? null, idempotency_key: idempotencyKey }));
}

export const readProposal = (db: Database, postId: string, proposalId: string): Promise<ProposalRow> =>
  json(db.rpc("read_proposal", { post_id: postId, proposal_id: proposalId }));

export function changeProposal(
  db: Database,
  postId: string,
  proposalId: string,
  { version, note, content }: { version: number; note?: string | null; content: ProposedContent },
): Promise<ProposalRow> {
  return json(db.rpc("propose_change", { post_id: postId, proposal_id: proposalId, version, content, note: note ?? null }));
}

export function decideProposal(
  db: Database,
  postId: string,
  proposalId: string,
  { decision, note, proposed_at: seen }: { decision: Decision; note?: string | null; proposed_at?: string },
): Promise<{ proposal: ProposalRow; post: PostRow }> {
  const decided = { post_id: postId, proposal_id: proposalId, decision, note: note ?? null, seen: seen ?? null };
  return json(db.rpc("decide_proposal", decided));
}

export async function withdrawProposal(db: Database, postId: string, proposalId: string): Promise<void> {
  await rows(db.rpc("withdraw_proposal", { post_id: postId, proposal_id: proposalId }));
}
