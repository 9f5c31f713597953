import { z } from "zod";
import { blockId } from "./blocks/limits.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles, writers } from "./kinds.ts";
import { commentMaxLength, mentionsPerComment } from "./limits.ts";
import { isSeen } from "./rules/is-seen.ts";
import { figure } from "./rules/figure.ts";

export { commentMaxLength };
/** Excerpt of the block when the thread began, shown once the block is gone. */
export const quoteMaxLength = 200;

const text = z
  .string({ error: "Please write a comment" })
  .trim()
  .min(1, { error: "Please write a comment" })
  .refine(isSeen, { error: "Please write a comment" })
  .max(commentMaxLength, { error: `A comment can have at most ${figure(commentMaxLength)} characters` });
/** Members mentioned as @name. Former members aren't notified. */
const mentions = z.array(id).max(mentionsPerComment).default([]);

/** `user_id` null: a commenter with a preview link, under the name given there. */
export const comment = z.object({
  id,
  user_id: id.nullable(),
  name: z.string(),
  avatar_url: z.string().nullable(),
  text: z.string(),
  mentions: z.array(z.object({ user_id: id, name: z.string() })),
  created_at: time,
  edited_at: time.nullable(),
});
export type Comment = z.infer<typeof comment>;

export const thread = z.object({
  id,
  block_id: z.string().nullable(),
  quote: z.string(),
  created_at: time,
  resolved_at: time.nullable(),
  resolved_by_name: z.string().nullable(),
  comments: z.array(comment),
});
export type Thread = z.infer<typeof thread>;

const path = "/api/posts/{id}/threads";
const answer = z.object({ thread });
export const threads = z.array(thread);

export const commentEndpoints = {
  list: endpoint(`GET ${path}`, {
    summary: "List a post's comment threads, oldest first",
    access: roles,
    response: z.object({ threads }),
  }),
  begin: endpoint(`POST ${path}`, {
    summary: "Start a comment thread on a block or the whole post",
    access: writers,
    limit: "comment",
    idempotent: true,
    /** `quote`: the block's current text; for a saved block the saved text wins. */
    body: z.object({ block_id: z.string().regex(blockId).nullish(), quote: z.string().max(quoteMaxLength).optional(), text, mentions }),
    status: 201,
    response: answer,
  }),
  reply: endpoint(`POST ${path}/{threadId}/comments`, {
    summary: "Reply in a thread; reopens a resolved one",
    access: writers,
    limit: "comment",
    idempotent: true,
    body: z.object({ text, mentions }),
    status: 201,
    response: answer,
  }),
  settle: endpoint(`PATCH ${path}/{threadId}`, {
    summary: "Resolve or reopen a thread",
    access: writers,
    body: z.object({ resolved: z.boolean() }),
    response: answer,
  }),
  edit: endpoint(`PATCH ${path}/{threadId}/comments/{commentId}`, {
    summary: "Edit your own comment",
    access: writers,
    limit: "comment",
    body: z.object({ text, mentions }),
    response: answer,
  }),
  remove: endpoint(`DELETE ${path}/{threadId}/comments/{commentId}`, {
    summary: "Delete your own comment, or any as owner or admin; an empty thread is deleted",
    access: writers,
    response: success,
  }),
} as const;
