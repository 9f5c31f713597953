import { mcpResource } from "#contract/mcp/endpoint.ts";
import { type AssistantScope, assistantScopes, defaultAssistantScopes, type RefusedRequest } from "#contract/oauth.ts";
import { isOurResource, withQuery } from "./addresses.ts";
import { ClientRefused, type OAuthClient } from "./client-document.ts";
import { isNamed, type Redirect, redirectOf } from "./redirects.ts";

export interface AskedGrant {
  state: "ask";
  client: OAuthClient;
  redirect: Redirect;
  challenge: string;
  scopes: AssistantScope[];
  clientState: string | null;
}

export type ReadRequest = AskedGrant | RefusedRequest | { state: "answered"; location: string };

const challengeShape = /^[A-Za-z0-9_-]{43}$/;
const scopeShape = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Parses /oauth/authorize. Errors go to the client once it and its redirect URI are trusted (RFC 6749, 4.1.2.1); before, they're shown here. */
export async function readRequest(
  query: string,
  publicUrl: string,
  find: (clientId: string) => Promise<OAuthClient>,
): Promise<ReadRequest> {
  const params = new URLSearchParams(query);
  const one = (name: string): string | null => params.get(name) || null;
  const isTwice = (name: string) => params.getAll(name).length > 1;
  const refused = (reason: RefusedRequest["reason"], detail: string): RefusedRequest => {
    return { state: "refused", reason, client_id: one("client_id"), redirect_uri: one("redirect_uri"), detail };
  };

  const [clientId, uri] = [one("client_id"), one("redirect_uri")];
  if (clientId === null) return refused("client_id", "client_id is missing");
  if (isTwice("client_id")) return refused("client_id", "client_id is repeated");
  if (uri === null) return refused("redirect_uri", "redirect_uri is missing");
  if (isTwice("redirect_uri")) return refused("redirect_uri", "redirect_uri is repeated");
  const redirect = redirectOf(uri);
  if (redirect === null)
    return refused("redirect_uri", "redirect_uri is neither an https URL, nor a loopback address, nor an app's own scheme");
  let client: OAuthClient;
  try {
    client = await find(clientId);
  } catch (error) {
    if (error instanceof ClientRefused) return refused(error.reason, error.message);
    throw error;
  }
  if (!isNamed(uri, client.redirects)) return refused("redirect_uri", "This assistant's document doesn't list this redirect_uri");

  const clientState = one("state");
  const answered = (error: string, description: string) => {
    const location = withQuery(uri, { error, error_description: description, state: clientState, iss: publicUrl });
    return { state: "answered" as const, location };
  };
  const twice = ["response_type", "code_challenge", "code_challenge_method", "scope", "state"].find(isTwice);
  if (twice !== undefined) return answered("invalid_request", `${twice} is repeated`);
  if (one("response_type") !== "code") return answered("unsupported_response_type", "response_type must be code");
  const [challenge, method] = [one("code_challenge"), one("code_challenge_method")];
  if (challenge === null) return answered("invalid_request", "code_challenge is missing");
  if (method !== "S256") return answered("invalid_request", "code_challenge_method must be S256");
  if (!challengeShape.test(challenge)) return answered("invalid_request", "code_challenge isn't a SHA-256 hash in base64url");
  // RFC 8707: this server has one resource, which is also the default.
  if (params.getAll("resource").some((resource) => !isOurResource(publicUrl, resource)))
    return answered("invalid_target", `resource must be ${mcpResource(publicUrl)}`);
  const scopes = scopesIn(one("scope"));
  if (scopes === null) return answered("invalid_scope", `scope contains none of ${assistantScopes.join(" ")}`);
  return { state: "ask", client, redirect, challenge, scopes, clientState };
}

/** Unknown scopes are ignored; the token response lists the granted ones. */
function scopesIn(text: string | null): AssistantScope[] | null {
  if (text === null) return [...defaultAssistantScopes];
  if (!scopeShape.test(text)) return null;
  const words = text.split(" ");
  const supported = assistantScopes.filter((scope) => words.includes(scope));
  return supported.length > 0 ? supported : null;
}
