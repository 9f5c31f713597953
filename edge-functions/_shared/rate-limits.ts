import type { PostgrestSingleResponse } from "@supabase/postgrest-js";
import { createClient } from "@supabase/supabase-js";
import type { Database } from "#contract/database.ts";
import {
  failuresOnly,
  quietLimits,
  type Rate,
  type RateLimitName,
  rateLimits,
  type RateLimitSubject,
  scaledSize,
} from "#contract/rate-limits.ts";
import { fromDatabase } from "./backend-errors.ts";
import { withoutSession } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";

export type RateSubjects = Partial<Record<RateLimitSubject, string | undefined>>;

export interface RateLimiter {
  /**
   * Counts a call. When one of its subjects is over its limit it throws rate_limited; only for the account of a quiet limit (`quietLimits`) it answers false instead.
   */
  count(limit: RateLimitName | undefined, subjects: RateSubjects): Promise<boolean>;
  /** Gives the count back after a call that succeeded, for limits that count failures only (`failuresOnly`). */
  forgive(limit: RateLimitName | undefined, subjects: RateSubjects): Promise<void>;
}

/** When counting itself fails, the error is a 5xx: never a 4xx, which would blame the caller. */
const ourFault = (error: AppError) => (error.status >= 500 ? error : new AppError("internal", { cause: error.details.cause }));

interface Bucket {
  bucket: string;
  key: string;
  rate: Rate;
}

/** The token buckets that a call is counted in. */
function bucketsOf(limit: RateLimitName, subjects: RateSubjects): Bucket[] {
  const rates: Partial<Record<RateLimitSubject, Rate>> = rateLimits[limit];
  return (Object.entries(rates) as [RateLimitSubject, Rate][]).flatMap(([subject, rate]) => {
    const key = subjects[subject];
    return key ? [{ bucket: `${limit}.${subject}`, key, rate }] : [];
  });
}

/** The two subjects of an email address, which anybody may name. */
export const accountSubjects = (email: string | undefined, address: string): RateSubjects =>
  email === undefined ? {} : { account: email, accountAtAddress: `${email} ${address}` };

/**
 * One of the three places that speak with the service role (the others: discarded-files.ts, waiting-accounts.ts). Counting what strangers do
 * needs a table that they themselves cannot touch; it lives in Postgres because every instance of the function has to see the same numbers.
 */
export function createRateLimiter({ supabaseUrl, secretKey, rateLimitScale }: Env): RateLimiter {
  const service = createClient<Database>(supabaseUrl, secretKey, withoutSession);

  const answered = <Data>({ data, error, status }: PostgrestSingleResponse<Data>): Data => {
    if (error) throw ourFault(fromDatabase(error, status));
    return data;
  };
  const take = async ({ bucket, key, rate }: Bucket): Promise<number> => {
    const size = scaledSize(rate, rateLimitScale);
    return answered(await service.rpc("take_token", { bucket, key, size, period_seconds: rate.seconds }));
  };
  const giveBack = async ({ bucket, key, rate }: Bucket): Promise<void> => {
    answered(await service.rpc("give_back_token", { bucket, key, size: scaledSize(rate, rateLimitScale) }));
  };

  return {
    async count(limit, subjects) {
      if (!limit) return true;
      // One after the other: what a narrow limit refuses must not use a wider one up.
      for (const bucket of bucketsOf(limit, subjects)) {
        const wait = await take(bucket);
        if (wait <= 0) continue;
        if (quietLimits.includes(limit) && subjects.account) return false;
        throw new AppError("rate_limited", { retryAfter: wait });
      }
      return true;
    },
    async forgive(limit, subjects) {
      if (!limit || !failuresOnly.includes(limit)) return;
      await Promise.all(bucketsOf(limit, subjects).map(giveBack));
    },
  };
}
