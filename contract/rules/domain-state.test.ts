import { describe, expect, test } from "vitest";
import type { DomainState } from "../domains.ts";
import { type DomainBefore, type DomainLook, graceMs, nextDomainState, unreachableMs } from "./domain-state.ts";

const now = new Date("2026-11-23T12:00:00Z");
const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
const before = (state: DomainState, fields: Partial<DomainBefore> = {}): DomainBefore => ({
  state,
  failing_since: null,
  grace_until: null,
  created_at: at(-60_000),
  ...fields,
});
const look = (fields: Partial<DomainLook> = {}): DomainLook => ({
  isProven: true,
  leadsHere: true,
  isThere: true,
  problem: null,
  ...fields,
});
const next = (from: DomainBefore, seen: DomainLook, chance = 0.5) => nextDomainState(from, seen, now, chance);

const missing = look({ isProven: false, leadsHere: false, isThere: null });
const silent = look({ isProven: null, leadsHere: null, isThere: null });
const stolen = look({ isProven: false, leadsHere: true, isThere: null });
const dark = look({ isThere: false });
const elsewhere = look({ leadsHere: false, isThere: false });
const proxied = look({ leadsHere: false, isThere: true });

describe("the next state of a domain", () => {
  test.each<[DomainState, string, DomainLook, DomainState]>([
    ["dns", "no record is there", missing, "dns"],
    ["dns", "it leads here, and nothing proves whose it is", stolen, "dns"],
    ["dns", "it's verified and points elsewhere", elsewhere, "dns"],
    ["dns", "the DNS does not answer", silent, "dns"],
    ["dns", "its records are right", dark, "certificate"],
    ["dns", "its page comes", look(), "live"],
    ["dns", "its page comes through a proxy", proxied, "live"],
    ["certificate", "its page does not come yet", dark, "certificate"],
    ["certificate", "its page comes", look(), "live"],
    ["certificate", "the DNS does not answer", silent, "certificate"],
    ["certificate", "its proof is gone", stolen, "dns"],
    ["live", "all is well", look(), "live"],
    ["live", "its proof is gone, though it leads here", stolen, "lost"],
    ["live", "its records are gone", missing, "lost"],
    ["live", "it points elsewhere", elsewhere, "lost"],
    ["live", "it leads here through a proxy", proxied, "live"],
    ["live", "the DNS does not answer", silent, "live"],
    ["live", "its page does not come", dark, "live"],
    ["lost", "its page comes again", look(), "live"],
    ["lost", "it is still gone", missing, "lost"],
  ])("%s, and %s: %s", (state, _, seen, after) => {
    const grace = state === "lost" ? { grace_until: at(graceMs) } : {};
    expect(next(before(state, grace), seen).state).toBe(after);
  });

  test("redirects continue for a week after a domain is lost", () => {
    expect(next(before("live"), missing)).toMatchObject({ state: "lost", grace_until: at(graceMs), failing_since: null });
    const grace_until = at(graceMs / 2);
    expect(next(before("lost", { grace_until }), missing)).toMatchObject({ state: "lost", grace_until });
    expect(next(before("lost", { grace_until }), look())).toMatchObject({ state: "live", grace_until: null });
  });

  test.each([
    ["the DNS does not answer", silent],
    ["its page does not come", dark],
  ])("one that is live is not lost before %s for a day", (_, seen) => {
    const first = next(before("live"), seen);
    expect(first).toMatchObject({ state: "live", failing_since: now.toISOString() });
    expect(next(before("live", { failing_since: at(-unreachableMs + 1_000) }), seen).state).toBe("live");
    expect(next(before("live", { failing_since: at(-unreachableMs) }), seen)).toMatchObject({ state: "lost", grace_until: at(graceMs) });
    expect(next(before("live", { failing_since: at(-unreachableMs + 1_000) }), look()).failing_since).toBeNull();
  });

  test("after the grace period a domain with correct records can get a certificate again", () => {
    const over = before("lost", { grace_until: at(-1) });
    expect(next(over, dark)).toMatchObject({ state: "certificate", grace_until: null });
    expect(next(over, stolen)).toMatchObject({ state: "lost", grace_until: at(-1) });
    expect(next(before("lost", { grace_until: at(1_000) }), dark).state).toBe("lost");
  });
});

describe("the next check", () => {
  test.each<[string, DomainBefore, DomainLook, number]>([
    ["every two minutes while someone waits", before("dns"), missing, 120],
    ["rarely when records have been missing for weeks", before("dns", { created_at: at(-30 * 86_400_000) }), missing, 43_200],
    ["every minute while its certificate is on its way", before("dns"), dark, 60],
    ["daily when it is live", before("live"), look(), 86_400],
    ["hourly while unreachable", before("live"), dark, 3_600],
    ["hourly while it is lost", before("live"), missing, 3_600],
    ["when its grace ends", before("lost", { grace_until: at(600_000) }), missing, 601],
  ])("%s", (_, from, seen, seconds) => {
    expect(next(from, seen).after).toBe(seconds);
    expect(next(from, seen, 0).after).toBe(Math.round(seconds * 0.9));
    expect(next(from, seen, 1).after).toBe(Math.round(seconds * 1.1));
  });
});
