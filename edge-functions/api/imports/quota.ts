import { secondsOfRetryAfter } from "../../_shared/retry-after.ts";

/** Why somebody answers no more for now, and until when, as far as it says; null where that is not what it says. */
export function quotaSentence(name: string, status: number, headers: ReadonlyMap<string, string>, now: Date): string | null {
  // GitHub answers 403 as well, with what is left, or with how long to wait.
  const isQuota = status === 429 || (status === 403 && (headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after")));
  if (!isQuota) return null;
  const until = untilOf(headers, now);
  return `${name} takes no more requests for now: please try again ${until === null ? "later" : `after ${shown(until, now)}`}`;
}

function untilOf(headers: ReadonlyMap<string, string>, now: Date): Date | null {
  const seconds = secondsOfRetryAfter(headers.get("retry-after"));
  if (seconds !== undefined) return new Date(now.getTime() + seconds * 1_000);
  const reset = headers.get("x-ratelimit-reset") ?? "";
  const until = /^\d{9,11}$/.test(reset) ? new Date(Number(reset) * 1_000) : null;
  return until !== null && until > now ? until : null;
}

/** To the minute, later rather than sooner. */
function shown(until: Date, now: Date): string {
  const [day, time] = new Date(Math.ceil(until.getTime() / 60_000) * 60_000).toISOString().split("T") as [string, string];
  return `${day === now.toISOString().slice(0, 10) ? "" : `${day} `}${time.slice(0, 5)} UTC`;
}
