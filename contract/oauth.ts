import { z } from "zod";
import type { ApiKeyScope } from "./api-key-scopes.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { type Role, roles } from "./kinds.ts";

/**
 * What an assistant can ask for: the scopes of keys that some tool of /api/mcp uses. Nothing about readers is among them, and nothing that makes
 * the workspace tell others. Source: decision "Assistants".
 */
export const assistantScopes = [
  "posts:read",
  "posts:write",
  "posts:publish",
  "media:write",
  "stats:read",
] as const satisfies readonly ApiKeyScope[];
export type AssistantScope = (typeof assistantScopes)[number];

/** What is asked for where a client names no scope; of every request, all but publishing is ticked beforehand. */
export const defaultAssistantScopes: readonly AssistantScope[] = assistantScopes.filter((scope) => scope !== "posts:publish");

const viewersScopes: readonly AssistantScope[] = ["posts:read", "stats:read"];

/** What of the scopes an assistant of a person with this role can use at all. Postgres decides again at each call. */
export const scopesOfRole = (role: Role): readonly AssistantScope[] => (role === "viewer" ? viewersScopes : assistantScopes);

/** The longest query of /oauth/authorize that is read, in characters as they stand in the address. */
export const oauthQueryMaxLength = 4_000;
/** How long the name is under which an assistant is shown. */
export const assistantNameMaxLength = 60;

/** Everything behind the question mark of /oauth/authorize as it came, without it: the server alone reads what is in it. */
const request = z
  .string({ error: "This address is not complete" })
  .max(oauthQueryMaxLength, { error: `This address is too long: at most ${oauthQueryMaxLength} characters` });

/** `web`: a site's page; `device`: a program on the person's own device, by a loopback address; `app`: one that a scheme of its own opens. */
export const returnKinds = ["web", "device", "app"] as const;

/**
 * Why a request is shown as an error and never answered to the one who asked: who that is, or where they are, is what is in doubt.
 * `client_id`: it is missing, or no https address of a document. `unreachable`: the document cannot be fetched. `document`: it is not what it has
 * to be. `redirect_uri`: it is missing, or the document does not name it.
 */
export const refusedReasons = ["client_id", "unreachable", "document", "redirect_uri"] as const;

/** An assistant that asks a person. */
export const askedRequest = z.object({
  state: z.literal("ask"),
  client: z.object({
    /** The address of its document: what it is known by. */
    id: z.string(),
    /** As its document calls it, which nobody has verified; null: it has no name. */
    name: z.string().nullable(),
    /** Whose document it is, in the letters of addresses: what can be relied on. */
    host: z.string(),
  }),
  /** Where the answer goes. */
  redirect: z.object({ uri: z.string(), kind: z.enum(returnKinds), host: z.string() }),
  /** What it asks for, in the order of the list. */
  scopes: z.array(z.enum(assistantScopes)).min(1),
  /** The person's workspaces, with what of it their role there allows; `connected`: this assistant has a connection of theirs there already. */
  workspaces: z.array(
    z.object({ id, name: z.string(), role: z.enum(roles), scopes: z.array(z.enum(assistantScopes)), connected: z.boolean() }),
  ),
});
export type AskedRequest = z.infer<typeof askedRequest>;

const refusedRequest = z.object({
  state: z.literal("refused"),
  reason: z.enum(refusedReasons),
  /** What the request says of itself, for who looks for the fault. */
  client_id: z.string().nullable(),
  redirect_uri: z.string().nullable(),
  /** One sentence that says what exactly is wrong. */
  detail: z.string(),
});
export type RefusedRequest = z.infer<typeof refusedRequest>;

/** What is wrong is told to the assistant itself: the person is sent there with `error`, `state` and `iss`. */
const answeredRequest = z.object({ state: z.literal("answered"), location: z.string() });

/** Where the person's browser goes with the answer. */
const sentBack = z.object({ location: z.string() });

/** A connection of an assistant: what it is, for whom it acts, and what it may. Its secrets are nobody's to see. */
export const assistant = z.object({
  id,
  name: z.string(),
  client_id: z.string(),
  host: z.string(),
  scopes: z.array(z.enum(assistantScopes)),
  /** For whom it acts. */
  created_by: id,
  created_by_name: z.string(),
  created_at: time,
  /** To the minute; null: not yet. */
  last_used_at: time.nullable(),
  /** When it ends by itself, if it is not used until then. */
  expires_at: time,
});
export type Assistant = z.infer<typeof assistant>;

const params = z.object({ workspaceId: id });

export const oauthEndpoints = {
  read: endpoint({
    method: "GET",
    path: "/api/oauth/request",
    summary: "What an assistant asks for: to be shown to the person, or why not",
    access: "signed-in",
    limit: "consent",
    query: z.object({ request }),
    status: 200,
    response: z.discriminatedUnion("state", [askedRequest, refusedRequest, answeredRequest]),
  }),
  approve: endpoint({
    method: "POST",
    path: "/api/oauth/approve",
    summary: "Let an assistant act for oneself in a workspace; the answer is where to go with the code",
    access: "signed-in",
    limit: "consent",
    body: z.object({
      request,
      workspace_id: id,
      scopes: z
        .array(z.enum(assistantScopes, { error: "Please choose from the list" }), { error: "Please choose what it may do" })
        .min(1, { error: "Please choose what it may do" })
        .max(100)
        .transform((given) => assistantScopes.filter((one) => given.includes(one))), // each once, in the order of the list
    }),
    status: 200,
    response: sentBack,
    errors: ["not_found", "oauth_request_invalid", "too_many_assistants"],
  }),
  deny: endpoint({
    method: "POST",
    path: "/api/oauth/deny",
    summary: "Let an assistant not act for oneself; the answer is where to go with that",
    access: "signed-in",
    limit: "consent",
    body: z.object({ request }),
    status: 200,
    response: sentBack,
    errors: ["oauth_request_invalid"],
  }),
} as const;

export const assistantEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/workspaces/{workspaceId}/assistants",
    summary: "The assistants that are connected, the newest first: one's own, for owners and admins everybody's",
    access: roles,
    params,
    status: 200,
    response: z.object({ assistants: z.array(assistant) }),
    errors: ["forbidden"],
  }),
  end: endpoint({
    method: "DELETE",
    path: "/api/workspaces/{workspaceId}/assistants/{id}",
    summary: "End the connection of an assistant at once: one's own, for owners and admins any",
    access: roles,
    params: params.extend({ id }),
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
