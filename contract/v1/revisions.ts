import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id, time } from "../fields.ts";
import { postStatuses } from "../kinds.ts";
import { block } from "../posts.ts";
import { nextCursor, piece } from "./fields.ts";

export const listedRevision = z.object({
  version: z.int(),
  title: z.string(),
  summary: z.string().nullable(),
  status: z.enum(postStatuses),
  tags: z.array(z.string()),
  author: z.string().nullable(),
  published_at: time.nullable(),
  created_at: time,
});

export type V1ListedRevision = z.infer<typeof listedRevision>;

export const revision = listedRevision.extend({ markdown: z.string(), blocks: z.array(block) });

const version = z.coerce.number().int().positive().max(2_147_483_647);

export const v1RevisionEndpoints = {
  list: endpoint("GET /api/v1/posts/{id}/revisions", {
    summary: "List a post's versions",
    details: "Newest first, without content.",
    access: { scope: "posts:read" },
    query: z.strictObject(piece),
    response: z.object({ revisions: z.array(listedRevision), next_cursor: nextCursor }),
  }),
  read: endpoint("GET /api/v1/posts/{id}/revisions/{version}", {
    summary: "Read a version of a post",
    access: { scope: "posts:read" },
    params: z.object({ id, version }),
    response: z.object({ revision }),
  }),
} as const;
