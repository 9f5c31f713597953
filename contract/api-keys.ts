import { z } from "zod";
import { type ApiKeyScope, apiKeyScopes } from "./api-key-scopes.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { apiKeyNameMaxLength, apiKeyReachYears } from "./limits.ts";

/** What a new key is proposed to be allowed: to read and write, not to publish. */
export const proposedScopes: readonly ApiKeyScope[] = ["posts:read", "posts:write", "tags:write", "media:write"];

/** For how long a secret still works after its key was given another one. */
export const formerSecretHours = 24;

/** `expired` by its own time; `revoked` by hand, or because the one who made it left the workspace. */
export const apiKeyStates = ["active", "expired", "revoked"] as const;

/** A key as it is shown afterwards, without its secret. */
export const apiKey = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  /** The secret's first eight characters and its last four. */
  start: z.string(),
  last4: z.string(),
  state: z.enum(apiKeyStates),
  /** For whom it acts, and who alone can rotate it. */
  created_by: id,
  created_by_name: z.string(),
  created_at: time,
  /** Null: it works until it is revoked. */
  expires_at: time.nullable(),
  /** To the minute; null: not yet. */
  last_used_at: time.nullable(),
  /** When it was last given another secret; null: never. */
  rotated_at: time.nullable(),
  /** Until when the secret before the present one works; null: there is none that does. */
  former_until: time.nullable(),
  revoked_at: time.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

const scope = z.enum(apiKeyScopes, { error: "Please choose from the list" });

export const createApiKeyInput = z.object({
  name: line("A key needs a name", apiKeyNameMaxLength),
  scopes: z
    .array(scope, { error: "Please choose what this key may do" })
    .min(1, { error: "Please choose what this key may do" })
    .max(100)
    .transform((given) => apiKeyScopes.filter((one) => given.includes(one))), // each once, in the order of the list
  /** Absent or null: the key works until it is revoked. */
  expires_at: time
    .refine((text) => Date.parse(text) > Date.now(), { error: "Please choose a time in the future" })
    .refine((text) => Date.parse(text) < Date.now() + apiKeyReachYears * 366 * 86_400_000, {
      error: `Please choose a time within the next ${apiKeyReachYears} years`,
    })
    .nullish(),
});

/** A key with its secret, `tdk_…`, which is shown this once. */
const withSecret = z.object({ key: apiKey, secret: z.string() });

const managers = ["owner", "admin"] as const;
const params = z.object({ workspaceId: id });
const keyParams = z.object({ workspaceId: id, id });

/** Source: issue 19, "Fixed addresses". */
export const apiKeyEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/keys",
    summary: "The API keys, newest first, those that ended in the last 90 days included",
    access: managers,
    params,
    status: 200,
    response: z.object({ keys: z.array(apiKey) }),
    errors: ["forbidden"],
  }),
  create: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/keys",
    summary: "Make an API key; its secret is answered this once",
    access: managers,
    limit: "newKey",
    params,
    body: createApiKeyInput,
    status: 201,
    response: withSecret,
    errors: ["forbidden"],
  }),
  rotate: endpoint({
    method: "POST",
    path: "/api/workspaces/{workspaceId}/keys/{id}/rotate",
    summary: "Give a key of one's own another secret; the one before works for 24 hours more",
    access: managers,
    limit: "newKey",
    params: keyParams,
    status: 200,
    response: withSecret,
    errors: ["forbidden"],
  }),
  revoke: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/keys/{id}",
    summary: "End a key at once, with both its secrets",
    access: managers,
    params: keyParams,
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
} as const;

/** What a key can learn of itself. */
export const thisKeyEndpoints = {
  read: endpoint({
    method: "GET",
    path: "/api/v1/key",
    summary: "The key that asks: its name, its workspace, what it may do and until when",
    access: { scope: null },
    status: 200,
    response: z.object({
      key: apiKey.pick({ id: true, name: true, scopes: true, start: true, last4: true, created_at: true, expires_at: true }),
      workspace: z.object({ id, name: z.string(), subdomain: z.string(), url: z.string() }),
    }),
  }),
} as const;
