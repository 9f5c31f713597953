import { createClient } from "@supabase/supabase-js";
import { type Rate, type RateLimitName, rateLimits, type RateLimitSubject, scaledSize } from "#contract/limits.ts";
import { fromDatabase } from "./backend-errors.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";

export type RateSubjects = Partial<Record<RateLimitSubject, string | undefined>>;
/** Counts a call; throws rate_limited when one of its subjects has made too many. */
export type CountCall = (limit: RateLimitName | undefined, subjects: RateSubjects) => Promise<void>;

/** A counter that cannot be asked is never the caller's mistake. */
const ourFault = (error: AppError) => (error.code === "unavailable" ? error : new AppError("internal", { cause: error.details.cause }));

/**
 * One of the two places that speak with the service role (the other: discarded-files.ts). Counting what strangers do needs a table that they themselves cannot touch;
 * it lives in Postgres because every instance of the function has to see the same numbers.
 */
export function createRateLimiter({ supabaseUrl, secretKey, rateLimitScale }: Env): CountCall {
  const service = createClient(supabaseUrl, secretKey, withoutSession);

  const secondsToWait = async (bucket: string, key: string, rate: Rate): Promise<number> => {
    const size = scaledSize(rate, rateLimitScale);
    const { data, error, status } = await service.rpc("take_token", { bucket, key, size, period_seconds: rate.seconds });
    if (error) throw ourFault(fromDatabase(error, status));
    return data as number;
  };

  return async (limit, subjects) => {
    if (!limit) return;
    const rates: Partial<Record<RateLimitSubject, Rate>> = rateLimits[limit];
    const counted = (Object.entries(rates) as [RateLimitSubject, Rate][]).flatMap(([subject, rate]) => {
      const key = subjects[subject];
      return key ? [secondsToWait(`${limit}.${subject}`, key, rate)] : [];
    });
    const wait = Math.max(0, ...(await Promise.all(counted)));
    if (wait > 0) throw new AppError("rate_limited", { retryAfter: wait });
  };
}
