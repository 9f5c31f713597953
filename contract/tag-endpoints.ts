import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { line } from "./fields.ts";
import { roles, writers } from "./kinds.ts";
import { tagMaxLength } from "./limits.ts";
import { tagColours } from "./tags.ts";

export const tag = z.object({ key: z.string(), label: z.string(), colour: z.enum(tagColours) });

export const tagLabel = line("A tag needs a name", tagMaxLength);

export const createTagInput = z.object({
  label: tagLabel,
  colour: z.enum(tagColours).default("blue"),
});

/** Keys can contain any character, so they're never part of a path. */
const key = z.string().min(1, { error: "Which tag?" }).max(tagMaxLength);

export const changeTagInput = createTagInput
  .extend({ colour: z.enum(tagColours) })
  .partial()
  .refine(({ label, colour }) => label !== undefined || colour !== undefined, { error: "A tag needs a name", path: ["label"] });

/** Number of posts whose tags changed, including archived ones. */
export const retagged = z.int();

export const tagEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/tags", {
    summary: "List a workspace's tags, default ones first, and tags that posts have",
    access: roles,
    response: z.object({
      tags: z.array(tag),
      /** Tags on posts with counts, without archived ones; includes tags the workspace no longer offers. */
      carried: z.array(z.object({ key: z.string(), posts: z.int() })),
      /** Former keys → current key, null for deleted tags. Saving a former key stores the current one. */
      former: z.record(z.string(), z.string().nullable()),
    }),
  }),
  create: endpoint("POST /api/workspaces/{workspaceId}/tags", {
    summary: "Add a tag; an existing or default one is returned unchanged",
    access: writers,
    body: createTagInput,
    status: 201,
    response: z.object({ tag }),
  }),
  change: endpoint("PATCH /api/workspaces/{workspaceId}/tags", {
    summary: "Rename or recolour a tag; its key follows the name, also in posts, without new versions",
    access: writers,
    query: z.object({ key }),
    body: changeTagInput,
    response: z.object({ tag, posts: retagged }),
  }),
  merge: endpoint("POST /api/workspaces/{workspaceId}/tags/merge", {
    summary: "Replace a tag by another in all posts; the replaced tag is deleted unless it's a default one",
    access: writers,
    body: z.object({ key, into: key }),
    response: z.object({ tag, posts: retagged }),
  }),
  remove: endpoint("DELETE /api/workspaces/{workspaceId}/tags", {
    summary: "Delete a tag, also from posts",
    access: writers,
    query: z.object({ key }),
    response: z.object({ success: z.literal(true), posts: retagged }),
  }),
} as const;
