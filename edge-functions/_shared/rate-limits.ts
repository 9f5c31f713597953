import type { PostgrestSingleResponse } from "@supabase/postgrest-js";
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
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";

export type RateSubjects = Partial<Record<RateLimitSubject, string | undefined>>;

export interface RateLimiter {
  /** Throws rate_limited; returns false instead for accounts of quiet limits (`quietLimits`). */
  count(limit: RateLimitName | undefined, subjects: RateSubjects): Promise<boolean>;
  /** Refunds a successful call of a limit that counts failures (`failuresOnly`). */
  forgive(limit: RateLimitName | undefined, subjects: RateSubjects): Promise<void>;
}

/** A failed count is our error, never a 4xx. */
const ourFault = (error: AppError) => (error.status >= 500 ? error : new AppError("internal", { cause: error.details.cause }));

interface Bucket {
  bucket: string;
  key: string;
  rate: Rate;
}

function bucketsOf(limit: RateLimitName, subjects: RateSubjects): Bucket[] {
  const rates: Partial<Record<RateLimitSubject, Rate>> = rateLimits[limit];
  return (Object.entries(rates) as [RateLimitSubject, Rate][]).flatMap(([subject, rate]) => {
    const key = subjects[subject];
    return key ? [{ bucket: `${limit}.${subject}`, key, rate }] : [];
  });
}

/** For limits on email addresses named by anyone. */
export const accountSubjects = (email: string | undefined, address: string): RateSubjects =>
  email === undefined ? {} : { account: email, accountAtAddress: `${email} ${address}` };

/** Token buckets in Postgres, shared by all instances. Uses the service role, so clients can't touch the table. */
export function createRateLimiter(env: Env): RateLimiter {
  const service = serviceClient(env);

  const answered = <Data>({ data, error, status }: PostgrestSingleResponse<Data>): Data => {
    if (error) throw ourFault(fromDatabase(error, status));
    return data;
  };
  const take = async ({ bucket, key, rate }: Bucket): Promise<number> => {
    const size = scaledSize(rate, env.rateLimitScale);
    return answered(await service.rpc("take_token", { bucket, key, size, period: `${rate.seconds} seconds` }));
  };
  const giveBack = async ({ bucket, key, rate }: Bucket): Promise<void> => {
    answered(await service.rpc("give_back_token", { bucket, key, size: scaledSize(rate, env.rateLimitScale) }));
  };

  return {
    async count(limit, subjects) {
      if (!limit) return true;
      // Sequential: a call refused by a narrow limit must not use up a wider one.
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
