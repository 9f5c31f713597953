import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { addOns, roles } from "./kinds.ts";

const params = z.object({ workspaceId: id });
const addOn = z.enum(addOns, { error: "Please choose from the list" });

/** `add_ons`: what the workspace has, `teams` included; `requested`: what was asked for and not granted yet. Source: product decision 9. */
export const workspaceAddOns = z.object({
  add_ons: z.array(z.object({ add_on: z.enum(["teams", ...addOns]), granted_at: time })),
  requested: z.array(addOn),
});

export const addOnEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/add-ons",
    summary: "A workspace's add-ons",
    access: roles,
    params,
    status: 200,
    response: workspaceAddOns,
  }),
  request: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/add-ons",
    summary: "Ask for add-ons; a self-hosted installation grants at once those that exist, the others are recorded",
    access: ["owner"],
    params,
    body: z.object({ add_ons: z.array(addOn).min(1, { error: "Please choose from the list" }).max(addOns.length) }),
    status: 200,
    /** What was asked for, by what became of it; `granted`: the workspace has all of it. */
    response: z.object({ success: z.literal(true), granted: z.boolean(), active: z.array(addOn), recorded: z.array(addOn) }),
    errors: ["forbidden"],
  }),
} as const;
