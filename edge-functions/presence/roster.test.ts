import { describe, expect, test } from "vitest";
import { CallBudget, Seats } from "./limits.ts";
import { presenceTypingStaleMs } from "#contract/presence.ts";
import { Roster, type Tracked } from "./roster.ts";
import { Seal } from "./seal.ts";

const tab = (userId: string, isEditing = false): Tracked => ({ userId, fullName: userId.toUpperCase(), avatarUrl: null, isEditing });
const edits = (isEditing: boolean, blockId: string | null = null, isTyping = false) => ({ isEditing, blockId, isTyping });
const seen = (roster: Roster, now = 0) => roster.participants(now).map(({ userId, isEditing }) => `${userId}${isEditing ? " edits" : ""}`);

describe("who is at a post", () => {
  test("is everyone but oneself, once each, in a stable order", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("me"), t2: tab("bob"), t3: tab("ann"), t4: tab("bob") }, 0);
    expect(seen(roster)).toEqual(["ann", "bob"]);
  });

  test("edits if any of their tabs does", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob", true), t2: tab("bob") }, 0);
    expect(seen(roster)).toEqual(["bob edits"]);
    roster.setDoing("t1", edits(false), 1, 1);
    expect(seen(roster)).toEqual(["bob"]);
    roster.setDoing("t2", edits(true), 1, 1);
    expect(seen(roster)).toEqual(["bob edits"]);
    roster.setDoing("t2", edits(false), 3, 3);
    roster.setDoing("t2", edits(true), 2, 2);
    expect(seen(roster)).toEqual(["bob"]);
  });

  test("prefers broadcasts to tracked state until the tab is gone", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob") }, 0);
    roster.setDoing("t1", edits(true), 1, 1);
    roster.sync({ t1: tab("bob"), t2: tab("ann") }, 1);
    expect(seen(roster)).toEqual(["ann", "bob edits"]);
    roster.sync({}, 2);
    roster.sync({ t1: tab("bob") }, 3);
    expect(seen(roster, 3)).toEqual(["ann", "bob"]);
  });

  test("ignores broadcasts of unknown tabs", () => {
    const roster = new Roster("me", 5_000);
    roster.setDoing("t1", edits(true), 1, 1);
    roster.sync({ t1: tab("bob") }, 0);
    expect(seen(roster)).toEqual(["bob"]);
  });

  test("is in the block of the tab heard last, and types until the heartbeat stops", () => {
    const roster = new Roster("me", 5_000);
    const places = (now: number) => roster.participants(now).map(({ userId, blockId, isTyping }) => [userId, blockId, isTyping]);
    roster.sync({ t1: tab("bob"), t2: tab("bob"), t3: tab("ann") }, 0);
    expect(places(0)).toEqual([
      ["ann", null, false],
      ["bob", null, false],
    ]);
    expect(roster.setDoing("t1", edits(true, "b1"), 1, 1)).toBe(true);
    expect(roster.setDoing("t2", edits(true, "b2", true), 2, 100)).toBe(true);
    expect(roster.setDoing("t3", edits(true), 3, 100)).toBe(true);
    expect(roster.setDoing("t2", edits(true, "b3", true), 4, 200)).toBe(false);
    expect(places(200)[1]).toEqual(["bob", "b3", true]);
    expect(roster.nextChange(200)).toBe(200 + presenceTypingStaleMs);
    expect(roster.setDoing("t2", edits(true, "b3", true), 4, 5_000)).toBe(false);
    expect(places(200 + presenceTypingStaleMs)[1]).toEqual(["bob", "b3", false]);
    expect(roster.nextChange(200 + presenceTypingStaleMs)).toBeUndefined();
    roster.setDoing("t2", edits(false), 6, 9_000);
    expect(places(9_000)[1]).toEqual(["bob", "b1", false]);
    roster.sync({ t3: tab("ann") }, 9_001);
    expect(places(9_001)[1]).toEqual(["bob", null, false]);
  });

  test("stays briefly after a lost connection, without editing", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob", true) }, 0);
    roster.sync({}, 1_000);
    expect(seen(roster, 5_999)).toEqual(["bob"]);
    expect(roster.nextChange(5_999)).toBe(6_000);
    expect(seen(roster, 6_000)).toEqual([]);
    expect(roster.nextChange(63_000)).toBeUndefined();
  });

  test("is gone at once when the tab closes, unless another tab is open", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob"), t2: tab("ann"), t3: tab("ann") }, 0);
    expect([roster.leave("t1"), roster.leave("t2"), roster.leave("t9")]).toEqual([true, true, false]);
    expect(seen(roster, 0)).toEqual(["ann"]);
    roster.sync({ t1: tab("bob"), t3: tab("ann") }, 1);
    expect(seen(roster, 1)).toEqual(["ann"]);
    roster.sync({ t3: tab("ann") }, 2);
    expect([seen(roster, 2), roster.nextChange(2)]).toEqual([["ann"], undefined]);
    roster.sync({ t4: tab("bob"), t3: tab("ann") }, 3);
    expect(seen(roster, 3)).toEqual(["ann", "bob"]);
  });

  test("stays if another tab is open or they return", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob"), t2: tab("bob") }, 0);
    roster.sync({ t2: tab("bob") }, 1_000);
    expect(seen(roster, 60_000)).toEqual(["bob"]);
    roster.sync({}, 61_000);
    roster.sync({ t3: tab("bob") }, 63_000);
    expect(roster.nextChange(63_000)).toBeUndefined();
    expect(seen(roster, 90_000)).toEqual(["bob"]);
  });
});

describe("presence entries of a channel", () => {
  const [seal, elsewhere, stranger] = [
    new Seal({ secretKey: "1" }, "post 1"),
    new Seal({ secretKey: "1" }, "post 2"),
    new Seal({ secretKey: "2" }, "post 1"),
  ];
  const later = Date.now() + 60_000;

  test("are accepted if sealed by our server for this post, tab and session", async () => {
    const sealed = await seal.closeTracked("t1", tab("ann"), later);
    expect(await seal.openTracked("t1", sealed)).toEqual(tab("ann"));
    expect(await seal.openTracked("t2", sealed)).toBeUndefined();
    expect(await elsewhere.openTracked("t1", sealed)).toBeUndefined();
    expect(await stranger.openTracked("t1", sealed)).toBeUndefined();
    expect(await seal.openTracked("t1", await seal.closeTracked("t1", tab("ann"), Date.now() - 1_000))).toBeUndefined();
  });

  test("are ignored otherwise", async () => {
    const [head, , signature] = (await seal.closeTracked("t1", tab("ann"), later)).split(".");
    const boss = Buffer.from(JSON.stringify({ ...tab("boss"), aud: "post 1", sub: "t1" })).toString("base64url");
    const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const sealed of [`${head}.${boss}.${signature}`, `${unsigned}.${boss}.`, "", "..", 7, null, tab("ann")])
      expect(await seal.openTracked("t1", sealed)).toBeUndefined();
    expect(
      await seal.openTracked("t1", await seal.closeEditing({ tab: "t1", ...edits(true), isLeaving: false, at: 5 }, later)),
    ).toBeUndefined();
  });

  test("of an earlier version are accepted without positions", async () => {
    const earlier = { tab: "t1", isEditing: true, at: 5 } as Parameters<typeof seal.closeEditing>[0];
    expect(await seal.openEditing(await seal.closeEditing(earlier, later))).toEqual({ tab: "t1", ...edits(true), isLeaving: false, at: 5 });
  });
});

test("the newest sockets of a person stay", () => {
  const seats = new Seats<string>(2);
  expect([seats.take("ann", "a1"), seats.take("ann", "a2"), seats.take("bob", "b1")]).toEqual([undefined, undefined, undefined]);
  expect(seats.take("ann", "a3")).toBe("a1");
  seats.leave("ann", "a1");
  seats.leave("ann", "a3");
  expect(seats.take("ann", "a4")).toBeUndefined();
});

test("a call budget holds in every window and returns the wait", () => {
  const budget = new CallBudget(4, 30_000);
  expect([0, 1_000, 2_000, 3_000].map((now) => budget.take(now))).toEqual([0, 0, 0, 0]);
  expect(budget.take(3_001)).toBe(26_999);
  expect(budget.take(30_000)).toBe(0);
  expect(budget.take(30_001)).toBe(999);
});
