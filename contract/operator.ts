import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { addOns } from "./kinds.ts";

const count = z.int().nonnegative();

export const operatorWorkspace = z.object({
  id,
  name: z.string(),
  subdomain: z.string(),
  created_at: time,
  owner_email: z.string().nullable(),
  members: count,
  posts: count,
  file_bytes: count,
  add_ons: z.array(z.enum(["teams", ...addOns])),
  requested: z.array(z.enum(addOns)),
  /** Time of its latest activity. */
  active_at: time.nullable(),
});
export type OperatorWorkspace = z.infer<typeof operatorWorkspace>;

export const operatorPerson = z.object({
  id,
  email: z.string().nullable(),
  full_name: z.string(),
  created_at: time,
  is_confirmed: z.boolean(),
  is_operator: z.boolean(),
  workspaces: count,
  /** Updated within the hour; null: no sessions. */
  last_used_at: time.nullable(),
});
export type OperatorPerson = z.infer<typeof operatorPerson>;

export const jobKinds = ["emails", "webhooks", "scheduled_posts", "backups", "file_removals"] as const;

/** An operator's action. `operator_name` null: the account was deleted. */
export const operatorAct = z.object({
  id: z.int(),
  happened_at: time,
  operator_name: z.string().nullable(),
  kind: z.enum(["add_on_granted"]),
  workspace_name: z.string(),
  details: z.object({ add_on: z.enum(addOns) }),
});
export type OperatorAct = z.infer<typeof operatorAct>;

export const operatorOverview = z.object({
  version: z.string(),
  workspaces: z.object({ count, newest: z.array(operatorWorkspace) }),
  people: z.object({ count, newest: z.array(operatorPerson) }),
  /** Sent and failed in one day, bounced and complained in seven. */
  email: z.object({ sent: count, failed: count, bounced: count, complaints: count, workspaces_on_hold: count }),
  /** `waiting`: due; `failed`: in the last day; for backups, currently failing. */
  jobs: z.array(z.object({ kind: z.enum(jobKinds), waiting: count, failed: count, oldest_at: time.nullable() })),
  log: z.array(operatorAct),
  storage: z.object({ database_bytes: count, file_bytes: count }),
});
export type OperatorOverview = z.infer<typeof operatorOverview>;

export const operatorEndpoints = {
  overview: endpoint({
    method: "GET",
    path: "/api/operator",
    summary: "Overview for the installation's operator; not_found for others",
    access: "signed-in",
    status: 200,
    response: operatorOverview,
  }),
  grantAddOn: endpoint({
    method: "POST",
    path: "/api/operator/workspaces/{workspaceId}/add-ons",
    summary: "Grant a workspace an add-on as the installation's operator; not_found for others",
    access: "signed-in",
    params: z.object({ workspaceId: id }),
    body: z.object({ add_on: z.enum(addOns, { error: "Please choose from the list" }) }),
    status: 200,
    response: success,
  }),
} as const;
