import { mcpResource } from "#contract/mcp/endpoint.ts";
import { type AssistantScope, assistantScopes, defaultAssistantScopes, type RefusedRequest } from "#contract/oauth.ts";
import { isOurResource, withQuery } from "./addresses.ts";
import { ClientRefused, type OAuthClient } from "./client-document.ts";
import { isNamed, type Redirect, redirectOf } from "./redirects.ts";

/** What an assistant asks for, once everything about it was looked at. */
export interface AskedGrant {
  state: "ask";
  client: OAuthClient;
  redirect: Redirect;
  challenge: string;
  scopes: AssistantScope[];
  /** The assistant's own, handed back as it came. */
  clientState: string | null;
}

/** `answered`: what is wrong is told to the assistant, at the address that its document names. */
export type ReadRequest = AskedGrant | RefusedRequest | { state: "answered"; location: string };

const challengeShape = /^[A-Za-z0-9_-]{43}$/;
/** Every character that RFC 6749 lets scopes have. */
const scopeShape = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/**
 * Reads the query of /oauth/authorize. While it is not certain who asks, or where to, what is wrong is shown and nobody is sent anywhere; from there on
 * the assistant hears of it, as RFC 6749, 4.1.2.1 says.
 */
export async function readRequest(
  query: string,
  publicUrl: string,
  find: (clientId: string) => Promise<OAuthClient>,
): Promise<ReadRequest> {
  const given = new URLSearchParams(query);
  const one = (name: string): string | null => given.get(name) || null;
  const isTwice = (name: string) => given.getAll(name).length > 1;
  const refused = (reason: RefusedRequest["reason"], detail: string): RefusedRequest => {
    return { state: "refused", reason, client_id: one("client_id"), redirect_uri: one("redirect_uri"), detail };
  };

  const [clientId, uri] = [one("client_id"), one("redirect_uri")];
  if (clientId === null) return refused("client_id", "The request says no client_id");
  if (isTwice("client_id")) return refused("client_id", "The request says client_id more than once");
  if (uri === null) return refused("redirect_uri", "The request says no redirect_uri");
  if (isTwice("redirect_uri")) return refused("redirect_uri", "The request says redirect_uri more than once");
  const redirect = redirectOf(uri);
  if (redirect === null)
    return refused(
      "redirect_uri",
      "The redirect_uri is neither an https address, nor one of this device, nor one of a program's own scheme",
    );
  let client: OAuthClient;
  try {
    client = await find(clientId);
  } catch (error) {
    if (error instanceof ClientRefused) return refused(error.reason, error.message);
    throw error;
  }
  if (!isNamed(uri, client.redirects)) return refused("redirect_uri", "The document of this assistant does not name this redirect_uri");

  const clientState = one("state");
  const answered = (error: string, description: string) => {
    const location = withQuery(uri, { error, error_description: description, state: clientState, iss: publicUrl });
    return { state: "answered" as const, location };
  };
  const twice = ["response_type", "code_challenge", "code_challenge_method", "scope", "state"].find(isTwice);
  if (twice !== undefined) return answered("invalid_request", `${twice} may be said once`);
  if (one("response_type") !== "code") return answered("unsupported_response_type", "response_type has to be code");
  const [challenge, method] = [one("code_challenge"), one("code_challenge_method")];
  if (challenge === null) return answered("invalid_request", "code_challenge is missing");
  if (method !== "S256") return answered("invalid_request", "code_challenge_method has to be S256");
  if (!challengeShape.test(challenge)) return answered("invalid_request", "code_challenge is no SHA-256 in base64url");
  // RFC 8707: a token is for one entrance. Who says none means the only one there is.
  if (given.getAll("resource").some((resource) => !isOurResource(publicUrl, resource)))
    return answered("invalid_target", `resource has to be ${mcpResource(publicUrl)}`);
  const scopes = scopesIn(one("scope"));
  if (scopes === null) return answered("invalid_scope", `scope has none of ${assistantScopes.join(" ")}`);
  return { state: "ask", client, redirect, challenge, scopes, clientState };
}

/** Those that there are, each once; words that mean nothing here are left out, and what is granted is said with the token. */
function scopesIn(text: string | null): AssistantScope[] | null {
  if (text === null) return [...defaultAssistantScopes];
  if (!scopeShape.test(text)) return null;
  const words = text.split(" ");
  const known = assistantScopes.filter((scope) => words.includes(scope));
  return known.length > 0 ? known : null;
}
