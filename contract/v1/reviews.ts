import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { time } from "../fields.ts";
import { review, reviewNote } from "../reviews.ts";
import { idParams } from "./fields.ts";

const shown = review.pick({
  ...{ id: true, version: true, state: true, publish_at: true, note: true, asked_at: true, decided_at: true, decision_note: true },
});

export const v1ReviewEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/posts/{id}/reviews",
    summary: "List a post's reviews, newest first",
    access: { scope: "posts:read" },
    params: idParams,
    status: 200,
    response: z.object({ reviews: z.array(shown) }),
  }),
  ask: endpoint({
    method: "POST",
    path: "/api/v1/posts/{id}/reviews",
    summary: "Request approval to publish a post, now or later: for keys without posts:publish. Replaces a pending request",
    access: { scope: "posts:write" },
    idempotent: true,
    params: idParams,
    body: z.strictObject({
      version: z.int().positive().optional(),
      publish_at: time.optional(),
      note: reviewNote,
    }),
    example: { note: "Release notes for 2.4, created by the build." },
    status: 201,
    response: z.object({ review: shown }),
    errors: ["version_conflict", "archived_post_locked", "published_post_locked"],
  }),
} as const;
