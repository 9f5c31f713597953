import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { time } from "../fields.ts";
import { review as fullReview, reviewNote } from "../reviews.ts";

export const review = fullReview.pick({
  ...{ id: true, version: true, state: true, publish_at: true, note: true, asked_at: true, decided_at: true, decision_note: true },
});

export const v1ReviewEndpoints = {
  list: endpoint("GET /api/v1/posts/{id}/reviews", {
    summary: "List a post's reviews",
    details: "Newest first.",
    access: { scope: "posts:read" },
    response: z.object({ reviews: z.array(review) }),
  }),
  ask: endpoint("POST /api/v1/posts/{id}/reviews", {
    summary: "Request approval to publish a post",
    details: "For keys without `posts:publish`; now or later. Replaces a pending request.",
    access: { scope: "posts:write" },
    idempotent: true,
    body: z.strictObject({
      version: z.int().positive().optional(),
      publish_at: time.optional(),
      note: reviewNote,
    }),
    example: { note: "Release notes for 2.4, created by the build." },
    status: 201,
    response: z.object({ review }),
    errors: ["version_conflict", "archived_post_locked", "published_post_locked"],
  }),
} as const;
