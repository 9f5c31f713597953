import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { addOns } from "./kinds.ts";
import { searchTermMaxLength, suspensionMessageMaxLength } from "./limits.ts";
import { suspension } from "./workspaces.ts";

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
  suspension: suspension.nullable(),
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
  has_factor: z.boolean(),
  workspaces: count,
  /** Updated within the hour; null: no sessions. */
  last_used_at: time.nullable(),
});
export type OperatorPerson = z.infer<typeof operatorPerson>;

export const jobKinds = ["emails", "webhooks", "scheduled_posts", "backups", "file_removals"] as const;

/** An operator's action. `operator_name` null: the account was deleted. `subject`: the workspace or the person's email; null: a deleted account. */
export const operatorAct = z
  .object({ id: z.int(), happened_at: time, operator_name: z.string().nullable(), subject: z.string().nullable() })
  .and(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("add_on_granted"), details: z.object({ add_on: z.enum(addOns) }) }),
      z.object({ kind: z.literal("suspended"), details: z.object({ message: z.string() }) }),
      z.object({ kind: z.enum(["resumed", "sign_up_link_sent", "factors_removed"]), details: z.object({}) }),
    ]),
  );
export type OperatorAct = z.infer<typeof operatorAct>;

export const operatorOverview = z.object({
  version: z.string(),
  /** Sent and failed in one day, bounced, complained and the last error in seven. */
  email: z.object({
    ...{ sent: count, failed: count, bounced: count, complaints: count, workspaces_on_hold: count },
    last_error: z.object({ at: time, text: z.string() }).nullable(),
  }),
  /** `waiting`: due; `failed`: in the last day; for backups, currently failing. */
  jobs: z.array(z.object({ kind: z.enum(jobKinds), waiting: count, failed: count, oldest_at: time.nullable() })),
  log: z.array(operatorAct),
  storage: z.object({ database_bytes: count, file_bytes: count }),
  /** The disk of the data folder and the last `npm run backup`; null: hosted, so unknown. */
  machine: z.object({ disk_bytes: count, free_bytes: count, backed_up_at: time.nullable(), backup_bytes: count.nullable() }).nullable(),
});
export type OperatorOverview = z.infer<typeof operatorOverview>;

const listQuery = z.object({
  search: z.string().trim().max(searchTermMaxLength).default(""),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
});
const pagination = z.object({ page: z.int(), pages: z.int(), total: z.int() });

export const suspendInput = z.object({
  message: z
    .string()
    .trim()
    .max(suspensionMessageMaxLength, { error: `Please use at most ${suspensionMessageMaxLength} characters` })
    .default(""),
});

export const operatorEndpoints = {
  overview: endpoint("GET /api/operator", {
    summary: "Overview for the installation's operator; not_found for others",
    access: "signed-in",
    errors: ["not_found"],
    response: operatorOverview,
  }),
  workspaces: endpoint("GET /api/operator/workspaces", {
    summary: "A page of an installation's workspaces, newest first, by name, subdomain or owner; not_found for everyone else",
    access: "signed-in",
    limit: "search",
    query: listQuery,
    errors: ["not_found"],
    response: z.object({ workspaces: z.array(operatorWorkspace), pagination }),
  }),
  people: endpoint("GET /api/operator/people", {
    summary: "A page of an installation's people, newest first, by name or email address; not_found for everyone else",
    access: "signed-in",
    limit: "search",
    query: listQuery,
    errors: ["not_found"],
    response: z.object({ people: z.array(operatorPerson), pagination }),
  }),
  sendSignUpLink: endpoint("POST /api/operator/people/{userId}/sign-up-link", {
    summary: "Send the link that confirms a sign-up again, as the installation's operator; not_found for everyone else",
    access: "signed-in",
    response: success,
  }),
  removeFactors: endpoint("DELETE /api/operator/people/{userId}/factors", {
    summary: "Remove a person's authenticator apps and recovery codes, as the installation's operator; not_found for everyone else",
    access: "signed-in",
    response: success,
  }),
  grantAddOn: endpoint("POST /api/operator/workspaces/{workspaceId}/add-ons", {
    summary: "Grant a workspace an add-on as the installation's operator; not_found for others",
    access: "signed-in",
    body: z.object({ add_on: z.enum(addOns, { error: "Please choose from the list" }) }),
    response: success,
  }),
  suspend: endpoint("POST /api/operator/workspaces/{workspaceId}/suspension", {
    summary: "Suspend a workspace, as the installation's operator; not_found for everyone else",
    access: "signed-in",
    body: suspendInput,
    response: success,
  }),
  resume: endpoint("DELETE /api/operator/workspaces/{workspaceId}/suspension", {
    summary: "Lift a workspace's suspension, as the installation's operator; not_found for everyone else",
    access: "signed-in",
    response: success,
  }),
} as const;
