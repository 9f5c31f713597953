import { z } from "zod";
import { blockId } from "./blocks/limits.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles } from "./kinds.ts";
import { commentMaxLength, mentionsPerComment } from "./limits.ts";
import { isSeen } from "./rules/is-seen.ts";
import { figure } from "./rules/figure.ts";

export { commentMaxLength };
/** Of what the block said when the thread began: shown once the block is gone. */
export const quoteMaxLength = 200;

const text = z
  .string({ error: "Please write something" })
  .trim()
  .min(1, { error: "Please write something" })
  .refine(isSeen, { error: "Please write something" })
  .max(commentMaxLength, { error: `A comment can have at most ${figure(commentMaxLength)} characters` });
/** Members whom the text names as @name. Those who have left since are told nothing. */
const mentions = z.array(id).max(mentionsPerComment).default([]);

/** `user_id` null: who commented by a preview link, under the name that was given there. */
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

/** Beside one block, or the whole post (`block_id` null). `quote`: what the block said when the thread began. */
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

const params = z.object({ id });
const inThread = params.extend({ threadId: id });
const ofComment = inThread.extend({ commentId: id });
const writers = ["owner", "admin", "editor"] as const;
const path = "/api/posts/{id}/threads";
const answer = z.object({ thread });
export const threads = z.array(thread);

/** The threads come with the post: GET /api/posts/{id}?threads=true. */
export const commentEndpoints = {
  list: endpoint({
    method: "GET",
    path,
    summary: "A post's threads of comments, oldest first, for whoever has the post already",
    access: roles,
    params,
    status: 200,
    response: z.object({ threads }),
  }),
  begin: endpoint({
    method: "POST",
    path,
    summary: "Begin a thread of comments beside a block, or the whole post",
    access: writers,
    limit: "comment",
    idempotent: true,
    params,
    /** `quote`: what the block says to whoever comments; of one that is saved, what is saved counts. */
    body: z.object({ block_id: z.string().regex(blockId).nullish(), quote: z.string().max(quoteMaxLength).optional(), text, mentions }),
    status: 201,
    response: answer,
    errors: ["forbidden"],
  }),
  reply: endpoint({
    method: "POST",
    path: `${path}/{threadId}/comments`,
    summary: "Answer in a thread; one that was resolved is open again",
    access: writers,
    limit: "comment",
    idempotent: true,
    params: inThread,
    body: z.object({ text, mentions }),
    status: 201,
    response: answer,
    errors: ["forbidden"],
  }),
  settle: endpoint({
    method: "PATCH",
    path: `${path}/{threadId}`,
    summary: "Resolve a thread, or open it again",
    access: writers,
    params: inThread,
    body: z.object({ resolved: z.boolean() }),
    status: 200,
    response: answer,
    errors: ["forbidden"],
  }),
  edit: endpoint({
    method: "PATCH",
    path: `${path}/{threadId}/comments/{commentId}`,
    summary: "Change one's own comment",
    access: writers,
    limit: "comment",
    params: ofComment,
    body: z.object({ text, mentions }),
    status: 200,
    response: answer,
    errors: ["forbidden"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: `${path}/{threadId}/comments/{commentId}`,
    summary: "Delete one's own comment, or as owner or admin anybody's; a thread without comments goes",
    access: writers,
    params: ofComment,
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
