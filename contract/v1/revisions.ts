import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../fields.ts";
import { block } from "../posts.ts";
import { revisionSummary, version } from "../revisions.ts";
import { nextCursor, piece } from "./fields.ts";

export const listedRevision = revisionSummary
  .pick({ version: true, title: true, summary: true, status: true, tags: true, published_at: true, created_at: true })
  .extend({ author: z.string().nullable() });

export type V1ListedRevision = z.infer<typeof listedRevision>;

export const revision = listedRevision.extend({ markdown: z.string(), blocks: z.array(block) });

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
