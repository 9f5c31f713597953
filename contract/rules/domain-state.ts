import type { DomainState } from "../domains.ts";

/** What a look at a name found. Null: the DNS did not answer, so nobody knows. */
export interface DomainLook {
  /** The TXT record of this workspace is there. */
  isProven: boolean | null;
  /** Its CNAME, or its addresses, lead to us. */
  leadsHere: boolean | null;
  /** Its page came by https; null: nobody asked for it, because it is not proven. */
  isThere: boolean | null;
  /** What is wrong, in the order in which it has to be put right. */
  problem: string | null;
}

/** What is known of it before a look. */
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
  /** In so many seconds it is looked at again. */
  after: number;
}

/** So long readers are still led to a name that was lost. */
export const graceMs = 7 * 86_400_000;
/** So long nobody may get through to a name that is live, before it counts as lost: the fault may be ours, or the network's. */
export const patienceMs = 86_400_000;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** What becomes of a name by a look at it. `chance` (0 to 1) spreads the next looks. */
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
  // By a proxy in front of us it may come here although its addresses are others.
  if (isProven === true && isThere === true) return plain("live");
  const isGone = isProven === false || (leadsHere === false && isThere !== true);
  if (before.state === "dns" || before.state === "certificate") {
    if (isGone) return plain("dns");
    return isProven === true && leadsHere === true ? plain("certificate") : plain(before.state);
  }
  if (before.state === "live") {
    const since = before.failing_since ?? now.toISOString();
    const isLost = isGone || now.getTime() - Date.parse(since) >= patienceMs;
    return isLost
      ? { state: "lost", failing_since: null, grace_until: new Date(now.getTime() + graceMs).toISOString() }
      : { state: "live", failing_since: since, grace_until: null };
  }
  // Its certificate may have ended meanwhile: it gets a new one as a new name does.
  const isOver = before.grace_until === null || Date.parse(before.grace_until) <= now.getTime();
  if (isOver && isProven === true && leadsHere === true) return plain("certificate");
  return { state: "lost", failing_since: null, grace_until: before.grace_until };
}

/** Often while somebody waits for it, seldom once nobody does. */
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
