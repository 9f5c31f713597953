import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { time } from "../fields.ts";
import { review, reviewNote } from "../reviews.ts";
import { idParams } from "./fields.ts";

/** As people see it, without them. */
const shown = review.pick({
  ...{ id: true, version: true, state: true, publish_at: true, note: true, asked_at: true, decided_at: true, decision_note: true },
});

export const v1ReviewEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/posts/{id}/reviews",
    summary: "Whether versions of a post were approved, newest first",
    access: { scope: "posts:read" },
    params: idParams,
    status: 200,
    response: z.object({ reviews: z.array(shown) }),
  }),
  ask: endpoint({
    method: "POST",
    path: "/api/v1/posts/{id}/reviews",
    summary: "Ask a person to publish a post, now or at a time to come: for keys without posts:publish. One that waits gives way to it",
    access: { scope: "posts:write" },
    idempotent: true,
    params: idParams,
    body: z.strictObject({
      /** Which is to be published; absent: the present one. */
      version: z.int().positive().optional(),
      publish_at: time.optional(),
      note: reviewNote,
    }),
    example: { note: "Release notes of 2.4, made by the build." },
    status: 201,
    response: z.object({ review: shown }),
    errors: ["version_conflict", "archived_post_locked", "published_post_locked"],
  }),
} as const;
