import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { tagMaxLength } from "../limits.ts";
import { retagged, tag, tagLabel } from "../tag-endpoints.ts";
import { tagColours } from "../tags.ts";

const colour = z.enum(tagColours, { error: `Please use ${tagColours.join(", ")}` });
const key = z.string({ error: "Which tag?" }).min(1, { error: "Which tag?" }).max(tagMaxLength, { error: "Which tag?" });

export const listedTag = tag.extend({ posts: z.int() });

export const v1TagEndpoints = {
  list: endpoint("GET /api/v1/tags", {
    summary: "List tags",
    details: "Default ones first, with the number of posts for each.",
    access: { scope: "posts:read" },
    query: z.strictObject({}),
    response: z.object({ tags: z.array(listedTag) }),
  }),
  create: endpoint("POST /api/v1/tags", {
    summary: "Add a tag",
    details: "An existing one is returned unchanged.",
    access: { scope: "tags:write" },
    body: z.strictObject({ label: tagLabel, colour: colour.default("blue") }),
    example: { label: "Security", colour: "red" },
    status: 201,
    response: z.object({ tag }),
  }),
  change: endpoint("PATCH /api/v1/tags", {
    summary: "Rename or recolour a tag",
    details: "Its key follows the name, also in posts, without new versions.",
    access: { scope: "tags:write" },
    query: z.strictObject({ key }),
    body: z
      .strictObject({ label: tagLabel.optional(), colour: colour.optional() })
      .refine(({ label, colour }) => label !== undefined || colour !== undefined, { error: "A tag needs a name", path: ["label"] }),
    example: { label: "Hardening" },
    response: z.object({ tag, posts: retagged }),
  }),
  merge: endpoint("POST /api/v1/tags/merge", {
    summary: "Replace a tag by another in all posts",
    details: "The replaced tag is deleted unless it's a default one.",
    access: { scope: "tags:write" },
    body: z.strictObject({ key, into: key }),
    example: { key: "bugfix", into: "fix" },
    response: z.object({ tag, posts: retagged }),
  }),
  remove: endpoint("DELETE /api/v1/tags", {
    summary: "Delete a tag",
    details: "Also from posts.",
    access: { scope: "tags:write" },
    query: z.strictObject({ key }),
    response: z.object({ success: z.literal(true), posts: retagged }),
  }),
} as const;
