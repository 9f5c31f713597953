import { isOfThisMachine } from "./this-machine.ts";
import { failuresOnly, quietLimits, type Rate, type RateLimitName, rateLimits, type RateLimitSubject } from "#contract/rate-limits.ts";
import { networkOf } from "#contract/rules/network-of.ts";
import type { SupabaseServices } from "./supabase-services.ts";
import { refuseAuth } from "./auth-refusal.ts";

export interface TokenBuckets {
  /** Takes one token; resolves to the seconds to wait, 0 if allowed. */
  take(bucket: string, key: string, rate: Rate): Promise<number>;
  giveBack(bucket: string, key: string, rate: Rate): Promise<void>;
}

type Bucket = [bucket: string, key: string, rate: Rate];

/** Limits of calls that can guess credentials or send emails; /api shares the buckets. */
type LimitName = Extract<RateLimitName, "signIn" | "signUp" | "mailLink" | "credential">;
const limited: Record<string, LimitName> = {
  "/auth/v1/token": "signIn",
  "/auth/v1/signup": "signUp",
  "/auth/v1/recover": "mailLink",
  "/auth/v1/resend": "mailLink",
  "/auth/v1/verify": "credential",
};
/** One-time codes are off: they would reveal which addresses have an account. */
const closed = ["/auth/v1/otp", "/auth/v1/magiclink"];

/** Lite's auth endpoints; it answers other paths with its own pages or asks for a token. */
const authPaths = new Set(
  [
    ...[
      "authorize",
      "callback",
      "health",
      "logout",
      "reauthenticate",
      "recover",
      "resend",
      "settings",
      "signup",
      "token",
      "user",
      "verify",
    ],
    ...[".well-known/jwks.json", ".well-known/openid-configuration", "otp", "magiclink"],
  ].map((name) => `/auth/v1/${name}`),
);

export function limitStrangers<Services extends Pick<SupabaseServices, "fetch">>(
  lite: Services,
  buckets: TokenBuckets,
  host: string | null = null,
  morePaths: RegExp | null = null,
): Services {
  const wait = async (counted: Bucket[]): Promise<number> => {
    for (const bucket of counted) {
      const seconds = await buckets.take(...bucket); // in order: a request refused by a narrow limit doesn't use up a wider one
      if (seconds > 0) return seconds;
    }
    return 0;
  };
  return {
    ...lite,
    fetch: async (request, peerAddress) => {
      const { pathname } = new URL(request.url);
      if (request.method === "OPTIONS") return await lite.fetch(request, peerAddress);
      if (isAuth.test(pathname) && !authPaths.has(pathname) && !morePaths?.test(pathname)) return refuseAuth(404, "not_found", "Not found");
      if (closed.includes(pathname)) return refuseAuth(422, "otp_disabled", "Signups not allowed for otp");
      const limit = limited[pathname];
      const isOurs = isOfThisMachine(peerAddress, host);
      if (!limit || isOurs) return await lite.fetch(request, peerAddress);
      const network = networkOf(peerAddress);
      const seconds = await wait([[`${limit}.address`, network, rateLimits[limit].address]]);
      if (seconds > 0) return refuse(seconds);
      const account = bucketsOfAccount(limit, network, await emailIn(request));
      const secondsOfAccount = await wait(account);
      if (secondsOfAccount > 0) return quietLimits.includes(limit) ? asUsual() : refuse(secondsOfAccount);
      const answer = await lite.fetch(request, peerAddress);
      if (answer.ok && failuresOnly.includes(limit)) await Promise.all(account.map((bucket) => buckets.giveBack(...bucket)));
      return answer;
    },
  };
}

const refuse = (seconds: number): Response =>
  refuseAuth(429, "over_request_rate_limit", "Request rate limit reached", { "retry-after": String(seconds) });

const asUsual = (): Response => Response.json({}, { headers: { "access-control-allow-origin": "*" } });

/** Lite decodes paths first (%74oken is token), so encoded names are refused. */
const isAuth = /^\/auth\/v1(?:\/|$)/;

function bucketsOfAccount(limit: LimitName, network: string, email: string | null): Bucket[] {
  const rates: Partial<Record<RateLimitSubject, Rate>> = rateLimits[limit];
  if (email === null || !rates.account || !rates.accountAtAddress) return [];
  return [
    [`${limit}.accountAtAddress`, `${email} ${network}`, rates.accountAtAddress],
    [`${limit}.account`, email, rates.account],
  ];
}

/** The same key as in /api. */
async function emailIn(request: Request): Promise<string | null> {
  const body = (await request
    .clone()
    .json()
    .catch(() => null)) as { email?: unknown } | null;
  return typeof body?.email === "string" ? body.email.trim().toLowerCase() : null;
}
