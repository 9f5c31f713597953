import { resourceMetadataPaths } from "#contract/mcp/endpoint.ts";
import { type AskedRequest, type Assistant, assistantEndpoints, assistantScopes, oauthEndpoints, scopesOfRole } from "#contract/oauth.ts";
import type { AnswerOf } from "#contract/database.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { ApiApp, Binder } from "../../_shared/handle.ts";
import type { KeyCalls } from "../../_shared/key-calls.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { createRateLimiter } from "../../_shared/rate-limits.ts";
import { rows } from "../result.ts";
import { withQuery } from "./addresses.ts";
import { ClientDocuments } from "./documents.ts";
import { Grants } from "./grants.ts";
import { authorizationServer, protectedResource } from "./metadata.ts";
import { type AskedGrant, readRequest } from "./request.ts";
import { hashOf, makeCode } from "./secrets.ts";
import { TokenDesk } from "./token.ts";

export function bindOAuth({ signedIn }: Binder, env: Env, network: Network): void {
  const documents = new ClientDocuments(network, env.assistantsToPrivate);

  async function read(db: Database, person: string, request: string) {
    const clientId = new URLSearchParams(request).get("client_id") ?? "";
    const places = await rows(db.rpc("assistant_places", { client_id: clientId.replaceAll("\0", "") }));
    return { places, found: await readRequest(request, env.publicUrl, (id) => documents.find(id, person)) };
  }

  async function readGrant(db: Database, person: string, request: string): Promise<AskedGrant> {
    const { found } = await read(db, person, request);
    if (found.state !== "ask") throw new AppError("oauth_request_invalid");
    return found;
  }

  signedIn(oauthEndpoints.read, async ({ db, user, query }) => {
    const { found, places } = await read(db, user.id, query.request);
    if (found.state !== "ask") return found;
    const { client, redirect, scopes } = found;
    const workspaces = places.map((place) => ({ ...place, scopes: scopes.filter((scope) => scopesOfRole(place.role).includes(scope)) }));
    const { id, name, host } = client;
    return { state: "ask", client: { id, name, host }, redirect, scopes, workspaces } satisfies AskedRequest;
  });

  signedIn(oauthEndpoints.approve, async ({ db, user, body }) => {
    const { client, redirect, challenge, scopes, clientState } = await readGrant(db, user.id, body.request);
    if (!body.scopes.every((scope) => scopes.includes(scope)))
      throw new AppError("validation_failed", { fields: { scopes: "The assistant didn't request all of these permissions" } });
    const code = makeCode();
    const grant = { client_id: client.id, name: client.name ?? client.host, redirect_uri: redirect.uri, challenge };
    const args = { workspace_id: body.workspace_id, asked: grant, scopes: body.scopes, code_hash: await hashOf(code) };
    await rows(db.rpc("approve_assistant", args));
    return { location: withQuery(redirect.uri, { code, state: clientState, iss: env.publicUrl }) };
  });

  signedIn(oauthEndpoints.deny, async ({ db, user, body }) => {
    const { redirect, clientState } = await readGrant(db, user.id, body.request);
    const error = { error: "access_denied", error_description: "Access denied by the user", state: clientState, iss: env.publicUrl };
    return { location: withQuery(redirect.uri, error) };
  });

  signedIn(assistantEndpoints.list, async ({ db, params }) => {
    return { assistants: (await rows(db.rpc("list_assistants", { workspace_id: params.workspaceId }))).map(presentAssistant) };
  });

  signedIn(assistantEndpoints.end, async ({ db, params }) => {
    await rows(db.rpc("end_assistant", { workspace_id: params.workspaceId, assistant_id: params.id }));
    return { success: true as const };
  });
}

const presentAssistant = ({ scopes, ...connection }: AnswerOf<"list_assistants">[number]): Assistant => ({
  ...connection,
  scopes: assistantScopes.filter((scope) => scopes.includes(scope)),
});

export function serveOAuth(app: ApiApp, env: Env, keys: KeyCalls): void {
  const desk = new TokenDesk(env, new Grants(keys), createRateLimiter(env));
  const at = (path: string, answer: (request: Request) => Response | Promise<Response>) =>
    app.all(path, (context) => {
      context.set("route", `/api${path}`);
      return answer(context.req.raw);
    });
  const document = (serve: object) => (request: Request) =>
    request.method === "GET" || request.method === "HEAD"
      ? Response.json(serve)
      : new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });

  at("/oauth/token", (request) => desk.give(request));
  at("/oauth/revoke", (request) => desk.revoke(request));
  for (const path of resourceMetadataPaths) at(path, document(protectedResource(env.publicUrl)));
  at("/.well-known/oauth-authorization-server", document(authorizationServer(env.publicUrl)));
}
