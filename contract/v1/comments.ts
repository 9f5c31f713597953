import { z } from "zod";
import { comment as fullComment, thread as fullThread } from "../comments.ts";
import { endpoint } from "../endpoint.ts";

const comment = fullComment.pick({ id: true, text: true, created_at: true, edited_at: true });

export const thread = fullThread
  .pick({ id: true, block_id: true, quote: true, created_at: true, resolved_at: true })
  .extend({ comments: z.array(comment) });

export const v1CommentEndpoints = {
  list: endpoint("GET /api/v1/posts/{id}/comments", {
    summary: "List a post's comments",
    details: "As threads, oldest first. Without names, as keys can't see the team.",
    access: { scope: "posts:read" },
    response: z.object({ threads: z.array(thread) }),
  }),
} as const;
