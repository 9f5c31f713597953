import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { time } from "./fields.ts";
import { addOns, roles } from "./kinds.ts";

const addOn = z.enum(addOns, { error: "Please choose from the list" });

/**
 * `add_ons`: granted, `teams` included; `requested`: asked for, not granted yet; `included`: this installation grants add-ons at once, at no
 * extra cost. Source: product decision 9.
 */
export const workspaceAddOns = z.object({
  add_ons: z.array(z.object({ add_on: z.enum(["teams", ...addOns]), granted_at: time })),
  requested: z.array(addOn),
  included: z.boolean(),
});
export type WorkspaceAddOns = z.infer<typeof workspaceAddOns>;

export const addOnEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/add-ons", {
    summary: "List a workspace's add-ons",
    access: roles,
    response: workspaceAddOns,
  }),
  request: endpoint("POST /api/workspaces/{workspaceId}/add-ons", {
    summary: "Request add-ons; a self-hosted installation grants the available ones at once and records the others",
    access: ["owner"],
    body: z.object({ add_ons: z.array(addOn).min(1, { error: "Please choose from the list" }).max(addOns.length) }),
    /** `granted`: the workspace now has every add-on it requested. */
    response: z.object({ success: z.literal(true), granted: z.boolean(), active: z.array(addOn), recorded: z.array(addOn) }),
  }),
} as const;
