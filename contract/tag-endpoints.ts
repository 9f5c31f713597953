import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, line } from "./fields.ts";
import { roles } from "./kinds.ts";
import { tagMaxLength } from "./limits.ts";
import { tagColours } from "./tags.ts";

const writers = ["owner", "admin", "editor"] as const;

const params = z.object({ workspaceId: id });
export const tag = z.object({ key: z.string(), label: z.string(), colour: z.enum(tagColours) });

export const tagLabel = line("A tag needs a name", tagMaxLength);

/** A tag's name and colour; the key is made from the name. Source: specification, sections 3 and 5. */
export const createTagInput = z.object({
  label: tagLabel,
  colour: z.enum(tagColours).default("blue"),
});

/** A tag by its key, which may hold any character: so it never stands in a path. */
const key = z.string().min(1, { error: "Which tag?" }).max(tagMaxLength);

/** What changes of a tag; what is absent stays. */
export const changeTagInput = createTagInput
  .extend({ colour: z.enum(tagColours) })
  .partial()
  .refine(({ label, colour }) => label !== undefined || colour !== undefined, { error: "A tag needs a name", path: ["label"] });

/** How many posts carry another tag than before; archived ones count. */
export const retagged = z.int();

export const tagEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/tags",
    summary: "The tags a workspace offers, the default ones first, and those that its posts carry",
    access: roles,
    params,
    status: 200,
    response: z.object({
      tags: z.array(tag),
      /** What posts carry and how many do, archived ones aside; also tags that the workspace does not offer. */
      carried: z.array(z.object({ key: z.string(), posts: z.int() })),
      /** Keys that tags had before: the present key, null when the tag was deleted. What is saved with one gets the present one. */
      former: z.record(z.string(), z.string().nullable()),
    }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/tags",
    summary: "Add a tag; one that is there already, or a default one, is answered as it is",
    access: writers,
    params,
    body: createTagInput,
    status: 201,
    response: z.object({ tag }),
    errors: ["forbidden"],
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/workspaces/{workspaceId}/tags",
    summary: "Rename or recolour a tag; its key follows the name, in posts as well, without a new version of them",
    access: writers,
    params,
    query: z.object({ key }),
    body: changeTagInput,
    status: 200,
    response: z.object({ tag, posts: retagged }),
    errors: ["forbidden"],
  }),
  merge: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/tags/merge",
    summary: "Give the posts of one tag another one instead; the first is gone, a default one only leaves the posts",
    access: writers,
    params,
    body: z.object({ key, into: key }),
    status: 200,
    response: z.object({ tag, posts: retagged }),
    errors: ["forbidden"],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/tags",
    summary: "Delete a tag, from posts as well",
    access: writers,
    params,
    query: z.object({ key }),
    status: 200,
    response: z.object({ success: z.literal(true), posts: retagged }),
    errors: ["forbidden"],
  }),
} as const;
