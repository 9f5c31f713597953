import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { tagMaxLength } from "../limits.ts";
import { retagged, tag, tagLabel } from "../tag-endpoints.ts";
import { tagColours } from "../tags.ts";

const colour = z.enum(tagColours, { error: `Please use ${tagColours.join(", ")}` });
/** May hold any character: so it never stands in a path. */
const key = z.string({ error: "Which tag?" }).min(1, { error: "Which tag?" }).max(tagMaxLength, { error: "Which tag?" });

export const v1TagEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/tags",
    summary: "The tags that the workspace offers, the default ones first, with how many posts carry each",
    access: { scope: "posts:read" },
    query: z.strictObject({}),
    status: 200,
    response: z.object({ tags: z.array(tag.extend({ posts: z.int() })) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/tags",
    summary: "Add a tag; one that is there already is answered as it is",
    access: { scope: "tags:write" },
    body: z.strictObject({ label: tagLabel, colour: colour.default("blue") }),
    example: { label: "Security", colour: "red" },
    status: 201,
    response: z.object({ tag }),
  }),
  change: endpoint({
    method: "PATCH",
    path: "/api/v1/tags",
    summary: "Rename or recolour a tag; its key follows the name, in posts as well, without a new version of them",
    access: { scope: "tags:write" },
    query: z.strictObject({ key }),
    body: z
      .strictObject({ label: tagLabel.optional(), colour: colour.optional() })
      .refine(({ label, colour }) => label !== undefined || colour !== undefined, { error: "A tag needs a name", path: ["label"] }),
    example: { label: "Hardening" },
    status: 200,
    response: z.object({ tag, posts: retagged }),
  }),
  merge: endpoint({
    method: "POST",
    path: "/api/v1/tags/merge",
    summary: "Give the posts of one tag another one instead; the first is gone, a default one only leaves the posts",
    access: { scope: "tags:write" },
    body: z.strictObject({ key, into: key }),
    example: { key: "bugfix", into: "fix" },
    status: 200,
    response: z.object({ tag, posts: retagged }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/tags",
    summary: "Delete a tag, from posts as well",
    access: { scope: "tags:write" },
    query: z.strictObject({ key }),
    status: 200,
    response: z.object({ success: z.literal(true), posts: retagged }),
  }),
} as const;
