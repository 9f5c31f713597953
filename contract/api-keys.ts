import { z } from "zod";
import { type ApiKeyScope, apiKeyScopes } from "./api-key-scopes.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { managers } from "./kinds.ts";
import { apiKeyNameMaxLength, apiKeyReachYears } from "./limits.ts";

export const proposedScopes: readonly ApiKeyScope[] = ["posts:read", "posts:write", "tags:write", "media:write"];

export const formerSecretHours = 24;

/** `revoked`: by hand, or because its creator left the workspace. */
export const apiKeyStates = ["active", "expired", "revoked"] as const;

export const apiKey = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(apiKeyScopes)),
  start: z.string(),
  last4: z.string(),
  state: z.enum(apiKeyStates),
  /** The key acts for this person; only they can rotate it. */
  created_by: id,
  created_by_name: z.string(),
  created_at: time,
  expires_at: time.nullable(),
  /** Rounded to the minute; null: never. */
  last_used_at: time.nullable(),
  rotated_at: time.nullable(),
  /** End of the previous secret's grace period; null: there's none. */
  former_until: time.nullable(),
  revoked_at: time.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

const scope = z.enum(apiKeyScopes, { error: "Please choose from the list" });

export const createApiKeyInput = z.object({
  name: line("A key needs a name", apiKeyNameMaxLength),
  scopes: z
    .array(scope, { error: "Please choose at least one permission" })
    .min(1, { error: "Please choose at least one permission" })
    .max(100)
    .transform((scopes) => apiKeyScopes.filter((scope) => scopes.includes(scope))),
  /** Absent or null: the key works until it's revoked. */
  expires_at: time
    .refine((text) => Date.parse(text) > Date.now(), { error: "Please choose a time in the future" })
    .refine((text) => Date.parse(text) < Date.now() + apiKeyReachYears * 366 * 86_400_000, {
      error: `Please choose a time within the next ${apiKeyReachYears} years`,
    })
    .nullish(),
});

const withSecret = z.object({ key: apiKey, secret: z.string() });

export const apiKeyEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/keys", {
    summary: "List API keys, newest first, including those that ended in the last 90 days",
    access: managers,
    response: z.object({ keys: z.array(apiKey) }),
  }),
  create: endpoint("POST /api/workspaces/{workspaceId}/keys", {
    summary: "Create an API key; the secret is returned only once",
    access: managers,
    limit: "newKey",
    body: createApiKeyInput,
    status: 201,
    response: withSecret,
  }),
  rotate: endpoint("POST /api/workspaces/{workspaceId}/keys/{id}/rotate", {
    summary: "Rotate your own key's secret; the previous one works for 24 more hours",
    access: managers,
    limit: "newKey",
    response: withSecret,
  }),
  revoke: endpoint("DELETE /api/workspaces/{workspaceId}/keys/{id}", {
    summary: "Revoke a key and its secrets at once",
    access: managers,
    response: success,
  }),
} as const;

export const keyInUse = apiKey.pick({ id: true, name: true, scopes: true, start: true, last4: true, created_at: true, expires_at: true });

export const thisKeyEndpoints = {
  read: endpoint("GET /api/v1/key", {
    summary: "Read the key in use",
    details: "Name, workspace, scopes and expiry.",
    access: { scope: null },
    response: z.object({
      key: keyInUse,
      workspace: z.object({ id, name: z.string(), subdomain: z.string(), url: z.string() }),
    }),
  }),
} as const;
