import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { jsonBodyMaxBytes } from "./body-limits.ts";
import { managers, roles, writers } from "./kinds.ts";
import { titleMaxLength } from "./limits.ts";
import { optionalFields, post, storedContent, tags } from "./posts.ts";
import { figure } from "./rules/figure.ts";

/** Posts that need approval: none, editors', or all but the owner's. */
export const reviewRules = ["off", "editors", "all"] as const;
export type ReviewRule = (typeof reviewRules)[number];

export const noteMaxLength = 2_000;
export const reviewNote = z
  .string()
  .trim()
  .max(noteMaxLength, { error: `A note can have at most ${figure(noteMaxLength)} characters` })
  .nullish();

/** Approval of one version by another person, to publish at once (`publish_at` null) or at a time. `void`: the post changed since. */
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

/** A change to a public post, applied once accepted. `base_version`: the version it's based on. */
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
  /** Proposed by an API key or assistant of `proposed_by`. */
  by_key: z.boolean(),
  decided_at: time.nullable(),
  decided_by_name: z.string().nullable(),
  decision_note: z.string().nullable(),
});
export const proposal = proposalSummary.extend(storedContent.shape);
export type ProposalSummary = z.infer<typeof proposalSummary>;
export type Proposal = z.infer<typeof proposal>;

const proposalInput = z.object({
  version: z.int().positive(),
  title: z.string().trim().min(1, { error: "Title is required" }).max(titleMaxLength),
  ...optionalFields,
  tags,
  content_raw: z.string().max(jsonBodyMaxBytes),
  note: reviewNote,
});

const reviews = "/api/posts/{id}/reviews";
const proposals = "/api/posts/{id}/proposals";
const decision = z.object({ decision: z.enum(["approve", "refuse"]), note: reviewNote });

export const reviewStanding = z.object({
  rule: z.enum(reviewRules),
  exempt: z.boolean(),
  may_decide: z.boolean(),
  reviews: z.array(review),
  proposals: z.array(proposalSummary),
});

export const reviewEndpoints = {
  rule: endpoint("GET /api/workspaces/{workspaceId}/review", {
    summary: "Read the approval rule",
    access: roles,
    response: z.object({ rule: z.enum(reviewRules) }),
  }),
  setRule: endpoint("PUT /api/workspaces/{workspaceId}/review", {
    summary: "Set the approval rule",
    access: ["owner"],
    body: z.object({ rule: z.enum(reviewRules) }),
    response: z.object({ rule: z.enum(reviewRules) }),
  }),
  waiting: endpoint("GET /api/workspaces/{workspaceId}/waiting", {
    summary: "List reviews and proposals waiting for your decision, oldest first",
    access: roles,
    response: z.object({
      reviews: z.array(review.extend({ title: z.string() })),
      proposals: z.array(proposalSummary.extend({ post_title: z.string() })),
    }),
  }),
  standing: endpoint(`GET ${reviews}`, {
    summary: "List a post's reviews and proposals, and if you need approval",
    access: roles,
    response: reviewStanding,
  }),
  ask: endpoint(`POST ${reviews}`, {
    summary: "Request approval of a version; replaces a pending request",
    access: writers,
    idempotent: true,
    limit: "review",
    body: z.object({ version: z.int().positive(), publish_at: time.nullish(), note: reviewNote }),
    status: 201,
    response: z.object({ review }),
    errors: ["version_conflict", "archived_post_locked", "published_post_locked"],
  }),
  decide: endpoint(`POST ${reviews}/{reviewId}/decision`, {
    summary: "Approve or reject a version; approval publishes or schedules it as requested",
    access: managers,
    body: decision.extend({ version: z.int().positive() }),
    response: z.object({ review, post }),
    errors: ["version_conflict", "review_over", "own_review"],
  }),
  withdraw: endpoint(`DELETE ${reviews}/{reviewId}`, {
    summary: "Withdraw your request for approval",
    access: writers,
    response: success,
    errors: ["review_over"],
  }),
  propose: endpoint(`POST ${proposals}`, {
    summary: "Propose a change to a public post",
    access: writers,
    carriesContent: true,
    idempotent: true,
    limit: "review",
    body: proposalInput,
    status: 201,
    response: z.object({ proposal }),
    errors: ["version_conflict"],
  }),
  proposal: endpoint(`GET ${proposals}/{proposalId}`, {
    summary: "Read a proposal with its content",
    access: roles,
    response: z.object({ proposal }),
  }),
  changeProposal: endpoint(`PUT ${proposals}/{proposalId}`, {
    summary: "Update your own pending proposal",
    access: writers,
    carriesContent: true,
    body: proposalInput,
    response: z.object({ proposal }),
    errors: ["version_conflict", "review_over"],
  }),
  decideProposal: endpoint(`POST ${proposals}/{proposalId}/decision`, {
    summary: "Accept or reject a proposal; accepting requires that the post hasn't changed since",
    access: managers,
    /** `proposed_at` from the caller's copy; a proposal changed since isn't accepted. */
    body: decision.extend({ proposed_at: time.optional() }),
    response: z.object({ proposal, post }),
    errors: ["version_conflict", "review_over", "own_review"],
  }),
  withdrawProposal: endpoint(`DELETE ${proposals}/{proposalId}`, {
    summary: "Withdraw your own proposal",
    access: writers,
    response: success,
    errors: ["review_over"],
  }),
} as const;
