import { z } from "zod";
import { coverImage } from "./covers.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { jsonBodyMaxBytes } from "./body-limits.ts";
import { roles } from "./kinds.ts";
import { summaryMaxLength, titleMaxLength } from "./limits.ts";
import { post, tags } from "./posts.ts";
import { figure } from "./rules/figure.ts";

/** Whose posts a second person approves before readers see them: nobody's, editors', everybody's but the owner's. */
export const reviewRules = ["off", "editors", "all"] as const;
export type ReviewRule = (typeof reviewRules)[number];

export const noteMaxLength = 2_000;
export const reviewNote = z
  .string()
  .trim()
  .max(noteMaxLength, { error: `A note can have at most ${figure(noteMaxLength)} characters` })
  .nullish();

/**
 * An administrator or owner was asked whether one version may be published, at once (`publish_at` null) or at a time. `void`: the post has
 * changed since. Who asked, and who saved that version, cannot approve it.
 */
export const review = z.object({
  id,
  post_id: id,
  version: z.int(),
  state: z.enum(["waiting", "approved", "refused", "void", "withdrawn"]),
  publish_at: time.nullable(),
  note: z.string().nullable(),
  asked_at: time,
  asked_by: id.nullable(),
  asked_by_name: z.string().nullable(),
  decided_at: time.nullable(),
  decided_by_name: z.string().nullable(),
  decision_note: z.string().nullable(),
});
export type Review = z.infer<typeof review>;

/** A change of a post that readers see once it is accepted. `base_version`: the one it was written on. */
export const proposalSummary = z.object({
  id,
  post_id: id,
  base_version: z.int(),
  state: z.enum(["waiting", "accepted", "refused", "withdrawn"]),
  title: z.string(),
  note: z.string().nullable(),
  proposed_at: time,
  proposed_by: id.nullable(),
  proposed_by_name: z.string().nullable(),
  /** An API key or an assistant proposes it; `proposed_by` is whose it is. */
  by_key: z.boolean(),
  decided_at: time.nullable(),
  decided_by_name: z.string().nullable(),
  decision_note: z.string().nullable(),
});
export const proposal = proposalSummary.extend({
  summary: z.string().nullable(),
  tags: z.array(z.string()),
  cover_image: coverImage,
  content_raw: z.string(),
  content_md: z.string(),
});
export type ProposalSummary = z.infer<typeof proposalSummary>;
export type Proposal = z.infer<typeof proposal>;

const proposalInput = z.object({
  /** The version of the post that the change was written on. */
  version: z.int().positive(),
  title: z.string().trim().min(1, { error: "Title is required" }).max(titleMaxLength),
  summary: z.string().trim().max(summaryMaxLength).nullish(),
  tags,
  cover_image: coverImage.optional(),
  content_raw: z.string().max(jsonBodyMaxBytes),
  note: reviewNote,
});

const inWorkspace = z.object({ workspaceId: id });
const ofPost = z.object({ id });
const writers = ["owner", "admin", "editor"] as const;
const approvers = ["owner", "admin"] as const;
const reviews = "/api/posts/{id}/reviews";
const proposals = "/api/posts/{id}/proposals";
const decision = z.object({ decision: z.enum(["approve", "refuse"]), note: reviewNote });

/** What stands between a post and its readers, for the person who asks. */
export const reviewStanding = z.object({
  rule: z.enum(reviewRules),
  /** The caller publishes without being approved. */
  exempt: z.boolean(),
  /** The caller may decide about the review that waits. */
  may_decide: z.boolean(),
  /** Newest first. */
  reviews: z.array(review),
  proposals: z.array(proposalSummary),
});

export const reviewEndpoints = {
  rule: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/review",
    summary: "Whether a second person approves posts before readers see them",
    access: roles,
    params: inWorkspace,
    status: 200,
    response: z.object({ rule: z.enum(reviewRules) }),
  }),
  setRule: endpoint({
    method: "PUT",
    path: "/api/workspaces/{workspaceId}/review",
    summary: "Say whether a second person approves posts before readers see them",
    access: ["owner"],
    params: inWorkspace,
    body: z.object({ rule: z.enum(reviewRules) }),
    status: 200,
    response: z.object({ rule: z.enum(reviewRules) }),
    errors: ["forbidden"],
  }),
  waiting: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/waiting",
    summary: "What waits for the caller's decision: reviews and proposals of others, oldest first",
    access: roles,
    params: inWorkspace,
    status: 200,
    response: z.object({
      reviews: z.array(review.extend({ title: z.string() })),
      proposals: z.array(proposalSummary.extend({ post_title: z.string() })),
    }),
  }),
  standing: endpoint({
    method: "GET",
    path: reviews,
    summary: "A post's reviews and proposals, and whether the caller needs one",
    access: roles,
    params: ofPost,
    status: 200,
    response: reviewStanding,
  }),
  ask: endpoint({
    method: "POST",
    path: reviews,
    summary: "Ask for approval of the version that is named; one that waits gives way to it",
    access: writers,
    idempotent: true,
    limit: "review",
    params: ofPost,
    body: z.object({ version: z.int().positive(), publish_at: time.nullish(), note: reviewNote }),
    status: 201,
    response: z.object({ review }),
    errors: ["forbidden", "version_conflict", "archived_post_locked", "published_post_locked"],
  }),
  decide: endpoint({
    method: "POST",
    path: `${reviews}/{reviewId}/decision`,
    summary: "Approve or refuse a version; approved, it is published or scheduled as was asked",
    access: approvers,
    params: ofPost.extend({ reviewId: id }),
    body: decision.extend({ version: z.int().positive() }),
    status: 200,
    response: z.object({ review, post }),
    errors: ["forbidden", "version_conflict", "review_over", "own_review"],
  }),
  withdraw: endpoint({
    method: "DELETE",
    path: `${reviews}/{reviewId}`,
    summary: "Take back what one has asked for",
    access: writers,
    params: ofPost.extend({ reviewId: id }),
    status: 200,
    response: success,
    errors: ["forbidden", "review_over"],
  }),
  propose: endpoint({
    method: "POST",
    path: proposals,
    summary: "Propose a change of a post that readers see already",
    access: writers,
    carriesContent: true,
    idempotent: true,
    limit: "review",
    params: ofPost,
    body: proposalInput,
    status: 201,
    response: z.object({ proposal }),
    errors: ["forbidden", "version_conflict"],
  }),
  proposal: endpoint({
    method: "GET",
    path: `${proposals}/{proposalId}`,
    summary: "A proposal with its content",
    access: roles,
    params: ofPost.extend({ proposalId: id }),
    status: 200,
    response: z.object({ proposal }),
  }),
  changeProposal: endpoint({
    method: "PUT",
    path: `${proposals}/{proposalId}`,
    summary: "Change one's own proposal, as long as it waits",
    access: writers,
    carriesContent: true,
    params: ofPost.extend({ proposalId: id }),
    body: proposalInput,
    status: 200,
    response: z.object({ proposal }),
    errors: ["forbidden", "version_conflict", "review_over"],
  }),
  decideProposal: endpoint({
    method: "POST",
    path: `${proposals}/{proposalId}/decision`,
    summary:
      "Accept a proposal, which readers see from then on, or refuse it; accepting asks that the post is still the one it was written on",
    access: approvers,
    params: ofPost.extend({ proposalId: id }),
    /** `proposed_at`: as the caller found it; what was changed since is not accepted unseen. */
    body: decision.extend({ proposed_at: time.optional() }),
    status: 200,
    response: z.object({ proposal, post }),
    errors: ["forbidden", "version_conflict", "review_over", "own_review"],
  }),
  withdrawProposal: endpoint({
    method: "DELETE",
    path: `${proposals}/{proposalId}`,
    summary: "Take one's own proposal back",
    access: writers,
    params: ofPost.extend({ proposalId: id }),
    status: 200,
    response: success,
    errors: ["forbidden", "review_over"],
  }),
} as const;
