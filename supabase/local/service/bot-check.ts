import { refuseAuth } from "../engine/auth-refusal.ts";
import type { SupabaseServices } from "../engine/supabase-services.ts";
import type { Environment } from "../environment.ts";
import { StartError } from "../start-error.ts";

export interface BotCheck {
  secret: string;
  address: string;
}

const siteverify = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const timeoutMs = 5_000;
const checked = ["/auth/v1/signup", "/auth/v1/recover", "/auth/v1/resend"];

/** The configured bot check, or null; throws a StartError if incomplete. */
export function readBotCheck(env: Environment): BotCheck | null {
  const { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secret } = env;
  if (siteKey && !secret)
    throw new StartError("TURNSTILE_SITE_KEY is set, but TURNSTILE_SECRET_KEY isn't. Set both, or the bot check isn't verified.");
  if (secret && !siteKey)
    throw new StartError("TURNSTILE_SECRET_KEY is set, but TURNSTILE_SITE_KEY isn't. Set both, or no one can sign in.");
  return secret ? { secret, address: env.TIDINGS_SITEVERIFY || siteverify } : null;
}

/**
 * Requires a valid Turnstile token for password sign-in, sign-up and emailed links, like GoTrue, which exempts the secret key. Functions
 * pass the browser's token on. If siteverify fails, requests are refused.
 */
export function checkForBots<Services extends Pick<SupabaseServices, "fetch">>(
  services: Services,
  botCheck: BotCheck | null,
  secretKey: string,
): Services {
  if (!botCheck) return services;
  return {
    ...services,
    fetch: async (request, peerAddress) => {
      if (!isChecked(request) || request.headers.get("apikey") === secretKey) return await services.fetch(request, peerAddress);
      const token = await tokenIn(request);
      if (token === "") return refuseAuth(400, "captcha_failed", "captcha protection: request disallowed (no captcha_token found)");
      const errors = await verify(botCheck, token);
      if (errors === null) return refuseAuth(503, "unexpected_failure", "The bot check can't be verified at the moment. Try again soon.");
      if (errors.length === 0) return await services.fetch(request, peerAddress);
      return refuseAuth(400, "captcha_failed", `captcha protection: request disallowed (${errors.join(", ")})`);
    },
  };
}

function isChecked({ method, url }: Request): boolean {
  const { pathname, searchParams } = new URL(url);
  if (method !== "POST") return false;
  return checked.includes(pathname) || (pathname === "/auth/v1/token" && searchParams.get("grant_type") === "password");
}

async function tokenIn(request: Request): Promise<string> {
  const body = (await request
    .clone()
    .json()
    .catch(() => null)) as { gotrue_meta_security?: { captcha_token?: unknown } | null } | null;
  const token = body?.gotrue_meta_security?.captcha_token;
  return typeof token === "string" ? token.trim() : "";
}

/** The reason why a token is invalid; undefined if valid, null if siteverify failed. */
async function verify({ secret, address }: BotCheck, token: string): Promise<string[] | null> {
  try {
    const body = new URLSearchParams({ secret, response: token });
    const answer = await fetch(address, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) });
    const { success, "error-codes": errors = [] } = (await answer.json()) as { success?: unknown; "error-codes"?: string[] };
    if (typeof success !== "boolean") throw new Error(`an answer of another kind, status ${answer.status}`);
    if (success) return [];
    if (errors.some((code) => code.endsWith("-secret"))) console.error(`bot check: TURNSTILE_SECRET_KEY is refused (${errors.join(", ")})`);
    return errors.length > 0 ? errors : ["unknown"];
  } catch (error) {
    console.error(`bot check: ${new URL(address).host} can't be reached: ${(error as Error).message}`);
    return null;
  }
}
