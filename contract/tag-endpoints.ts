import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, line } from "./fields.ts";
import { roles } from "./kinds.ts";
import { tagMaxLength } from "./limits.ts";
import { tagColours } from "./tags.ts";

const params = z.object({ workspaceId: id });
const tag = z.object({ key: z.string(), label: z.string(), colour: z.enum(tagColours) });

/** A tag's name and colour; the key is made from the name. Source: specification, sections 3 and 5. */
export const createTagInput = z.object({
  label: line("A tag needs a name", tagMaxLength),
  colour: z.enum(tagColours).default("blue"),
});

export const tagEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/tags",
    summary: "The tags a workspace offers, the default ones first",
    access: roles,
    params,
    status: 200,
    response: z.object({ tags: z.array(tag) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/tags",
    summary: "Add a tag; one that is there already, or a default one, is answered as it is",
    access: ["owner", "admin", "editor"],
    params,
    body: createTagInput,
    status: 201,
    response: z.object({ tag }),
    errors: ["forbidden"],
  }),
} as const;
