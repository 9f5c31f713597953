import * as oauth from "oauth4webapi";
import { fetchPublicUrl } from "../../_shared/outbound/fetch-public-url.ts";
import { type Network, Unreachable } from "../../_shared/outbound/network.ts";

/** OpenID Connect's authorization code flow with PKCE, nonce and signed ID tokens. */
export interface Client {
  network: Network;
  /** Allows private addresses and http. */
  toPrivate: boolean;
  issuer: string;
  clientId: string;
  secret: string;
  redirectUri: string;
}

/** The callback must match it. */
export interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Claims {
  subject: string;
  email: string;
  name: string | null;
}

export interface Identity extends Claims {
  /** Of OpenID Connect's RP-initiated logout, with a hint to the session and without; none if the provider doesn't offer it. */
  signOutUrls: string[];
}

/** The reason, for the owner's test. */
export class SignOnError extends Error {
  override readonly name = "SignOnError";
}

const maxBytes = 200_000;
const timeoutMs = 8_000;
/** Consumer accounts can have a company's address; `hd` is only in accounts that the company manages. */
const google = "https://accounts.google.com";

export async function authorizationUrl(client: Client, loginHint: string | null): Promise<{ url: string; attempt: Attempt }> {
  return await explained(async () => {
    const server = await discover(client);
    if (server.authorization_endpoint === undefined) throw new SignOnError("The provider has no authorization endpoint");
    const url = browserUrl(client, server.authorization_endpoint);
    const attempt = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
    const query = {
      ...{ client_id: client.clientId, redirect_uri: client.redirectUri, response_type: "code", scope: "openid email profile" },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier), code_challenge_method: "S256" },
      ...{ state: attempt.state, nonce: attempt.nonce, ...(loginHint !== null && { login_hint: loginHint }) },
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { url: url.href, attempt };
  });
}

export async function exchange(client: Client, attempt: Attempt, query: URLSearchParams): Promise<Identity> {
  return await explained(async () => {
    const server = await discover(client);
    const { client: us, options } = partsOf(client);
    // Preferred, as some providers don't decode the header of the other.
    const authenticate = server.token_endpoint_auth_methods_supported?.includes("client_secret_post")
      ? oauth.ClientSecretPost
      : oauth.ClientSecretBasic;
    const params = oauth.validateAuthResponse(server, us, query, attempt.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      us,
      authenticate(client.secret),
      params,
      client.redirectUri,
      attempt.verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, us, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, options);
    const { sub, ...signed } = oauth.getValidatedIdTokenClaims(tokens)!;
    const claims = signed.email === undefined ? { ...signed, ...(await userInfo(server, client, tokens.access_token, sub)) } : signed;
    const { email, email_verified: isVerified, name, hd } = claims as Record<string, unknown>;
    if (typeof email !== "string" || !email.includes("@")) throw new SignOnError("The provider didn't send an email address");
    if (isVerified === false) throw new SignOnError("The provider says that the email address isn't verified");
    if (client.issuer === google && email.toLowerCase().split("@").at(-1) !== hd)
      throw new SignOnError("This Google account isn't managed by the company");
    return {
      subject: sub,
      email,
      name: typeof name === "string" ? name : null,
      signOutUrls: signOutUrls(server, client, tokens.id_token!),
    };
  });
}

function signOutUrls({ end_session_endpoint: endpoint }: oauth.AuthorizationServer, client: Client, idToken: string): string[] {
  if (endpoint === undefined) return [];
  const url = browserUrl(client, endpoint);
  url.searchParams.set("client_id", client.clientId);
  url.searchParams.set("post_logout_redirect_uri", client.redirectUri);
  const withHint = new URL(url);
  withHint.searchParams.set("id_token_hint", idToken);
  return [withHint.href, url.href];
}

function browserUrl({ toPrivate }: Client, text: string): URL {
  const url = new URL(text);
  if (url.protocol !== "https:" && !(toPrivate && url.protocol === "http:"))
    throw new SignOnError("The provider's URLs must start with https://");
  return url;
}

async function userInfo(server: oauth.AuthorizationServer, client: Client, accessToken: string, subject: string): Promise<object> {
  if (server.userinfo_endpoint === undefined) return {};
  const { client: us, options } = partsOf(client);
  return await oauth.processUserInfoResponse(server, us, subject, await oauth.userInfoRequest(server, us, accessToken, options));
}

async function discover(client: Client): Promise<oauth.AuthorizationServer> {
  if (!URL.canParse(client.issuer)) throw new SignOnError("The issuer isn't a valid URL");
  const issuer = new URL(client.issuer);
  return await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, partsOf(client).options));
}

function partsOf({ network, toPrivate, clientId }: Client) {
  const send = async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
    const request = {
      ...{ url: new URL(url), headers: { ...headers, "user-agent": "Tidings-Sign-In/1" }, maxBytes, readsErrors: true },
      ...(method === "POST" && { body: new TextEncoder().encode(String(body ?? "")) }),
    };
    const response = await fetchPublicUrl(network, request, { toPrivate, timeoutMs });
    return new Response(response.body as BodyInit, { status: response.status, headers: [...response.headers] });
  };
  const options = { [oauth.customFetch]: send, [oauth.allowInsecureRequests]: toPrivate };
  return { client: { client_id: clientId } satisfies oauth.Client, options };
}

/** Errors of the library and the network as one kind. */
async function explained<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SignOnError) throw error;
    if (error instanceof Unreachable) throw new SignOnError(`The provider isn't reachable: ${error.message}`, { cause: error });
    if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
      throw new SignOnError(`The provider answered: ${error.error_description ?? error.error}`, { cause: error });
    if (error instanceof oauth.WWWAuthenticateChallengeError)
      throw new SignOnError("The provider doesn't accept the client ID or secret", { cause: error });
    if (error instanceof Error) throw new SignOnError(error.message, { cause: error });
    throw error;
  }
}
