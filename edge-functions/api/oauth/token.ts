import { mcpResource } from "#contract/mcp/endpoint.ts";
import { auditNetwork } from "#contract/rules/audit-network.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";
import { clientAddress, forwardedAddress } from "../../_shared/client-address.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { RateLimiter } from "../../_shared/rate-limits.ts";
import { isOurResource } from "./addresses.ts";
import type { Granted, Grants } from "./grants.ts";
import { type AssistantSecrets, challengeOf, isCode, isRefreshToken, newSecrets, nextSecrets } from "./secrets.ts";

const formMaxBytes = 16_384;
const verifierShape = /^[A-Za-z0-9._~-]{43,128}$/;

class OAuthFault extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, sentence: string, status = 400) {
    super(sentence);
    this.code = code;
    this.status = status;
  }
}

const invalidRequest = (sentence: string) => new OAuthFault("invalid_request", sentence);
/** The same message for all reasons, so attackers learn nothing. */
const notGood = (what: string) => new OAuthFault("invalid_grant", `This ${what} is invalid, used, expired or issued to another client`);

export class TokenDesk {
  readonly #env: Env;
  readonly #grants: Grants;
  readonly #limiter: RateLimiter;

  constructor(env: Env, grants: Grants, limiter: RateLimiter) {
    this.#env = env;
    this.#grants = grants;
    this.#limiter = limiter;
  }

  give(request: Request): Promise<Response> {
    return this.#answer(request, async (form, network) => {
      const grant = required(form, "grant_type");
      if (grant !== "authorization_code" && grant !== "refresh_token")
        throw new OAuthFault("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
      const clientId = required(form, "client_id");
      const resource = form.get("resource");
      if (resource && !isOurResource(this.#env.publicUrl, resource))
        throw new OAuthFault("invalid_target", `resource must be ${mcpResource(this.#env.publicUrl)}`);
      return grant === "authorization_code" ? await this.#ofCode(form, clientId, network) : await this.#ofRefresh(form, clientId, network);
    });
  }

  /** RFC 7009: revokes the whole connection; unknown tokens succeed. */
  revoke(request: Request): Promise<Response> {
    return this.#answer(request, async (form, network) => {
      const secret = required(form, "token");
      await this.#grants.end(secret, required(form, "client_id"), network);
      return {};
    });
  }

  async #ofCode(form: Map<string, string>, clientId: string, network: string | null) {
    const [code, redirectUri, verifier] = [required(form, "code"), required(form, "redirect_uri"), required(form, "code_verifier")];
    if (!verifierShape.test(verifier)) throw invalidRequest("code_verifier must be 43 to 128 letters, digits, - . _ or ~");
    if (!isCode(code)) throw notGood("code");
    const secrets = await newSecrets();
    const challenge = await challengeOf(verifier);
    const granted = await this.#grants.ofCode({ code, clientId, redirectUri, challenge }, secrets.kept, network);
    if (granted === null) throw notGood("code");
    return tokensOf(secrets, granted);
  }

  async #ofRefresh(form: Map<string, string>, clientId: string, network: string | null) {
    const refresh = required(form, "refresh_token");
    if (!isRefreshToken(refresh)) throw notGood("refresh token");
    const secrets = await nextSecrets(this.#env, refresh);
    const granted = await this.#grants.ofRefresh(refresh, clientId, secrets.kept, network);
    if (granted === null) throw notGood("refresh token");
    return tokensOf(secrets, granted);
  }

  async #answer(request: Request, work: (form: Map<string, string>, network: string | null) => Promise<object>): Promise<Response> {
    try {
      if (request.method !== "POST")
        return refusal(new OAuthFault("invalid_request", "This endpoint supports POST only", 405), { allow: "POST" });
      const { headers } = request;
      await this.#limiter.count("oauthToken", { address: clientAddress(headers, this.#env.trustedProxies) });
      if (headers.has("authorization"))
        return refusal(
          new OAuthFault(
            "invalid_client",
            "This server supports public clients only: send client_id in the form, without an Authorization header",
            401,
          ),
          {
            "www-authenticate": 'Basic realm="not supported"',
          },
        );
      const network = auditNetwork(forwardedAddress(headers, this.#env.trustedProxies));
      return Response.json(await work(await formOf(request), network), { headers: { pragma: "no-cache" } });
    } catch (error) {
      if (error instanceof OAuthFault) return refusal(error);
      if (error instanceof AppError && error.code === "rate_limited")
        return refusal(new OAuthFault("temporarily_unavailable", error.message, error.status), {
          "retry-after": String(Math.ceil(error.details.retryAfter ?? 1)),
        });
      if (error instanceof AppError && error.code === "unavailable")
        return refusal(new OAuthFault("temporarily_unavailable", error.message, error.status));
      throw error;
    }
  }
}

const tokensOf = ({ access, refresh }: AssistantSecrets, { scopes, seconds }: Granted) => {
  return { access_token: access, token_type: "Bearer", expires_in: seconds, refresh_token: refresh, scope: scopes.join(" ") };
};

const refusal = ({ code, message, status }: OAuthFault, headers: Record<string, string> = {}): Response =>
  Response.json({ error: code, error_description: message }, { status, headers: { pragma: "no-cache", ...headers } });

function required(form: Map<string, string>, name: string): string {
  const value = form.get(name);
  if (!value) throw invalidRequest(`${name} is missing`);
  return value;
}

async function formOf(request: Request): Promise<Map<string, string>> {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw invalidRequest("The body must be application/x-www-form-urlencoded");
  const body = await bytesUpTo(request.body, formMaxBytes);
  if (body === null) throw invalidRequest(`The body has more than ${formMaxBytes} bytes`);
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(body))) {
    // RFC 8707 allows several resources; this server has one.
    if (form.has(name)) throw invalidRequest(`${name.slice(0, 60)} is repeated`);
    if (value.includes("\0")) throw invalidRequest(`${name.slice(0, 60)} contains an invalid character`);
    form.set(name, value);
  }
  return form;
}
