import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { postStatuses, roles, writers } from "./kinds.ts";
import { post, storedContent } from "./posts.ts";

export const version = z.coerce.number().int().positive().max(2_147_483_647);

/** One saved version. Source: product decision 7. */
export const revisionSummary = z.object({
  version: z.int(),
  title: z.string(),
  summary: z.string().nullable(),
  status: z.enum(postStatuses),
  tags: z.array(z.string()),
  author_id: id.nullable(),
  author_name: z.string().nullable(),
  post_author_name: z.string().nullable(),
  published_at: time.nullable(),
  created_at: time,
});
export type RevisionSummary = z.infer<typeof revisionSummary>;

export const revision = revisionSummary.extend(storedContent.shape);
export type Revision = z.infer<typeof revision>;

export const revisionsPageSize = 500;

const params = z.object({ id });
const oneOf = params.extend({ version });

export const revisionEndpoints = {
  list: endpoint("GET /api/posts/{id}/revisions", {
    summary: "List a post's versions without content, newest first: 500 per page, below `before` if given",
    access: roles,
    query: z.object({ before: version.optional() }),
    response: z.object({ revisions: z.array(revisionSummary) }),
  }),
  read: endpoint("GET /api/posts/{id}/revisions/{version}", {
    summary: "Read one version with its content",
    access: roles,
    params: oneOf,
    response: z.object({ revision }),
  }),
  restore: endpoint("POST /api/posts/{id}/revisions/{version}/restore", {
    summary: "Restore an earlier version's title, tags and content as the newest version",
    access: writers,
    params: oneOf,
    /** `version` of the caller's copy, as when saving. */
    body: z.object({ version: z.int().positive().optional() }).optional(),
    response: z.object({ post }),
    errors: ["version_conflict", "archived_post_locked"],
  }),
} as const;
