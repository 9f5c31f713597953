import type { DomainState } from "../domains.ts";

/** Result of a check. null: DNS didn't answer, so it's unknown. */
export interface DomainLook {
  isProven: boolean | null;
  leadsHere: boolean | null;
  /** Its page is reachable by https; null: not checked, because it's unverified. */
  isThere: boolean | null;
  problem: string | null;
}

export interface DomainBefore {
  state: DomainState;
  failing_since: string | null;
  grace_until: string | null;
  created_at: string;
}

export interface DomainOutcome {
  state: DomainState;
  problem: string | null;
  failing_since: string | null;
  grace_until: string | null;
  after: number;
}

/** Grace period in which readers are still redirected to a lost domain. */
export const graceMs = 7 * 86_400_000;
export const unreachableMs = 86_400_000;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** State after a check. `chance` (0 to 1) adds jitter to the next one. */
export function nextDomainState(before: DomainBefore, look: DomainLook, now: Date, chance: number): DomainOutcome {
  const outcome = stateAfter(before, look, now);
  const { problem } = look;
  const wait = waitFor(before, outcome, now) * (0.9 + 0.2 * chance);
  return { ...outcome, problem, after: Math.round(wait) };
}

type State = Pick<DomainOutcome, "state" | "failing_since" | "grace_until">;
const plain = (state: DomainState): State => ({ state, failing_since: null, grace_until: null });

function stateAfter(before: DomainBefore, look: DomainLook, now: Date): State {
  const { isProven, leadsHere, isThere } = look;
  // Behind a proxy the domain may reach us with other addresses.
  if (isProven === true && isThere === true) return plain("live");
  const isGone = isProven === false || (leadsHere === false && isThere !== true);
  if (before.state === "dns" || before.state === "certificate") {
    if (isGone) return plain("dns");
    return isProven === true && leadsHere === true ? plain("certificate") : plain(before.state);
  }
  if (before.state === "live") {
    const since = before.failing_since ?? now.toISOString();
    const isLost = isGone || now.getTime() - Date.parse(since) >= unreachableMs;
    return isLost
      ? { state: "lost", failing_since: null, grace_until: new Date(now.getTime() + graceMs).toISOString() }
      : { state: "live", failing_since: since, grace_until: null };
  }
  const isOver = before.grace_until === null || Date.parse(before.grace_until) <= now.getTime();
  if (isOver && isProven === true && leadsHere === true) return plain("certificate");
  return { state: "lost", failing_since: null, grace_until: before.grace_until };
}

/** Backoff: often while someone waits, rarely later. */
function waitFor(before: DomainBefore, { state, failing_since, grace_until }: State, now: Date): number {
  if (state === "live") return failing_since === null ? day : hour;
  if (state === "lost") {
    const left = (Date.parse(grace_until ?? now.toISOString()) - now.getTime()) / 1_000;
    return left > 0 ? Math.min(hour, left + 1) : day / 2;
  }
  const age = (now.getTime() - Date.parse(before.created_at)) / 1_000;
  if (state === "certificate") return age < hour ? minute : age < day ? 10 * minute : hour;
  return age < hour ? 2 * minute : age < day ? 10 * minute : age < 7 * day ? hour : day / 2;
}
