import { type Rate, type RateLimitName, rateLimits, type RateLimitSubject } from "#contract/limits.ts";
import { networkOf } from "#contract/rules/network-of.ts";
import { refuseAuth } from "./auth-refusal.ts";

/** Takes one of `rate` for `key`; resolves to the seconds to wait, 0 when there was one. */
export type TakeToken = (bucket: string, key: string, rate: Rate) => Promise<number>;

interface Asked {
  fetch(request: Request, peerAddress: string): Promise<Response>;
}

/** The calls that can be used to guess or to have mails sent, and the limit of /api that they share. */
const limited: Record<string, RateLimitName> = {
  "/auth/v1/token": "signIn",
  "/auth/v1/signup": "signUp",
  "/auth/v1/recover": "mailLink",
  "/auth/v1/resend": "mailLink",
  "/auth/v1/verify": "credential",
};
/** Ways in by a code that nobody here is sent; they would tell which addresses have an account. */
const closed = ["/auth/v1/otp", "/auth/v1/magiclink"];

/**
 * Counts what strangers ask of the auth service itself, in the same buckets as /api: lite, unlike hosted's, limits nothing. Calls from this
 * machine, also by the address `host` that it listens on, are our functions', which have counted already.
 */
export function limitStrangers<Service extends Asked>(lite: Service, take: TakeToken, host: string | null = null): Service {
  return {
    ...lite,
    fetch: async (request, peerAddress) => {
      const { pathname } = new URL(request.url);
      if (request.method === "OPTIONS") return await lite.fetch(request, peerAddress);
      if (isDisguised(pathname)) return refuseAuth(404, "not_found", "Not found");
      if (closed.includes(pathname)) return refuseAuth(422, "otp_disabled", "Signups not allowed for otp");
      const limit = limited[pathname];
      const isOurs = peerAddress === host || ofThisMachine.test(peerAddress);
      if (!limit || isOurs) return await lite.fetch(request, peerAddress);
      const wait = await secondsToWait(limit, peerAddress, await emailIn(request), take);
      if (wait > 0) return refuseAuth(429, "over_request_rate_limit", "Request rate limit reached", { "retry-after": String(wait) });
      return await lite.fetch(request, peerAddress);
    },
  };
}

/** Lite decodes an address before it looks, so that %74oken is token; none of auth's own needs that. */
const isDisguised = (pathname: string): boolean => pathname.startsWith("/auth/v1/") && pathname.includes("%");

const ofThisMachine = /^(?:127\.|::1$|::ffff:127\.)/;

async function secondsToWait(limit: RateLimitName, peerAddress: string, email: string | null, take: TakeToken): Promise<number> {
  const rates: Partial<Record<RateLimitSubject, Rate>> = rateLimits[limit];
  const waits = await Promise.all([
    rates.address ? take(`${limit}.address`, networkOf(peerAddress), rates.address) : 0,
    rates.account && email ? take(`${limit}.account`, email, rates.account) : 0,
  ]);
  return Math.max(...waits);
}

/** As /api counts it. */
async function emailIn(request: Request): Promise<string | null> {
  const body = (await request
    .clone()
    .json()
    .catch(() => null)) as { email?: unknown } | null;
  return typeof body?.email === "string" ? body.email.trim().toLowerCase() : null;
}
