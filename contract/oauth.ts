import { z } from "zod";
import type { ApiKeyScope } from "./api-key-scopes.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { type Role, roles } from "./kinds.ts";

/** Key scopes that MCP tools use; none for readers or webhooks. Source: decision "Assistants". */
export const assistantScopes = [
  "posts:read",
  "posts:write",
  "posts:publish",
  "media:write",
  "stats:read",
] as const satisfies readonly ApiKeyScope[];
export type AssistantScope = (typeof assistantScopes)[number];

/** Default for clients that name no scope; the form preselects all requested scopes but publishing. */
export const defaultAssistantScopes: readonly AssistantScope[] = assistantScopes.filter((scope) => scope !== "posts:publish");

const viewersScopes: readonly AssistantScope[] = ["posts:read", "stats:read"];

export const scopesOfRole = (role: Role): readonly AssistantScope[] => (role === "viewer" ? viewersScopes : assistantScopes);

export const oauthQueryMaxLength = 4_000;
export const assistantNameMaxLength = 60;

/** Raw query string of /oauth/authorize; only the server parses it. */
const request = z
  .string({ error: "This URL is incomplete" })
  .max(oauthQueryMaxLength, { error: `This URL is too long: at most ${oauthQueryMaxLength} characters` });

/** `web`: a website; `device`: a local program at a loopback address; `app`: a custom scheme. */
export const returnKinds = ["web", "device", "app"] as const;

/**
 * Reasons to show an error instead of redirecting, because the client or its redirect URI can't be trusted. `client_id`: missing, or not
 * the https URL of a document. `unreachable`: the document can't be fetched. `document`: invalid. `redirect_uri`: missing, or not in the
 * document.
 */
export const refusedReasons = ["client_id", "unreachable", "document", "redirect_uri"] as const;

export const askedRequest = z.object({
  state: z.literal("ask"),
  client: z.object({
    /** URL of the client's metadata document, which identifies it. */
    id: z.string(),
    /** Self-declared and unverified; null: none. */
    name: z.string().nullable(),
    /** Host of the document in Unicode; trustworthy. */
    host: z.string(),
  }),
  redirect: z.object({ uri: z.string(), kind: z.enum(returnKinds), host: z.string() }),
  scopes: z.array(z.enum(assistantScopes)).min(1),
  /** The person's workspaces with the scopes their role allows; `connected`: this assistant is already connected. */
  workspaces: z.array(
    z.object({ id, name: z.string(), role: z.enum(roles), scopes: z.array(z.enum(assistantScopes)), connected: z.boolean() }),
  ),
});
export type AskedRequest = z.infer<typeof askedRequest>;

const refusedRequest = z.object({
  state: z.literal("refused"),
  reason: z.enum(refusedReasons),
  client_id: z.string().nullable(),
  redirect_uri: z.string().nullable(),
  detail: z.string(),
});
export type RefusedRequest = z.infer<typeof refusedRequest>;

/** The error goes to the assistant: redirect with `error`, `state` and `iss`. */
const answeredRequest = z.object({ state: z.literal("answered"), location: z.string() });

const sentBack = z.object({ location: z.string() });

export const assistant = z.object({
  id,
  name: z.string(),
  client_id: z.string(),
  host: z.string(),
  scopes: z.array(z.enum(assistantScopes)),
  created_by: id,
  created_by_name: z.string(),
  created_at: time,
  /** Rounded to the minute; null: never. */
  last_used_at: time.nullable(),
  /** Expiry if unused. */
  expires_at: time,
});
export type Assistant = z.infer<typeof assistant>;

export const oauthEndpoints = {
  read: endpoint("GET /api/oauth/request", {
    summary: "Read an assistant's authorization request",
    access: "signed-in",
    limit: "consent",
    query: z.object({ request }),
    response: z.discriminatedUnion("state", [askedRequest, refusedRequest, answeredRequest]),
  }),
  approve: endpoint("POST /api/oauth/approve", {
    summary: "Allow an assistant to act for you in a workspace; returns the redirect URL with the code",
    access: "signed-in",
    limit: "consent",
    body: z.object({
      request,
      workspace_id: id,
      scopes: z
        .array(z.enum(assistantScopes, { error: "Please choose from the list" }), { error: "Please choose at least one permission" })
        .min(1, { error: "Please choose at least one permission" })
        .max(100)
        .transform((scopes) => assistantScopes.filter((scope) => scopes.includes(scope))),
    }),
    response: sentBack,
    errors: ["not_found", "oauth_request_invalid", "too_many_assistants"],
  }),
  deny: endpoint("POST /api/oauth/deny", {
    summary: "Refuse an assistant; returns the redirect URL",
    access: "signed-in",
    limit: "consent",
    body: z.object({ request }),
    response: sentBack,
    errors: ["oauth_request_invalid"],
  }),
} as const;

export const assistantEndpoints = {
  list: endpoint("GET /api/workspaces/{workspaceId}/assistants", {
    summary: "List your connected assistants, newest first; owners and admins get everyone's",
    access: roles,
    response: z.object({ assistants: z.array(assistant) }),
    errors: ["forbidden"],
  }),
  end: endpoint("DELETE /api/workspaces/{workspaceId}/assistants/{id}", {
    summary: "Disconnect your assistant, or any as owner or admin",
    access: roles,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
