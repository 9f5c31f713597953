import { describe, expect, test } from "vitest";
import { CallBudget } from "../../edge-functions/presence/call-budget.ts";
import { Roster, type Tracked } from "../../edge-functions/presence/roster.ts";

const tab = (userId: string, isEditing = false): [Tracked] => [{ userId, fullName: userId.toUpperCase(), avatarUrl: null, isEditing }];
const seen = (roster: Roster, now = 0) => roster.participants(now).map(({ userId, isEditing }) => `${userId}${isEditing ? " edits" : ""}`);

describe("who is at a post", () => {
  test("is everybody but oneself, each once, in a steady order", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("me"), t2: tab("bob"), t3: tab("ann"), t4: tab("bob") }, 0);
    expect(seen(roster)).toEqual(["ann", "bob"]);
  });

  test("edits when any of the tabs does", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob", true), t2: tab("bob") }, 0);
    expect(seen(roster)).toEqual(["bob edits"]);
    roster.setEditing("t1", false);
    expect(seen(roster)).toEqual(["bob"]);
    roster.setEditing("t2", true);
    expect(seen(roster)).toEqual(["bob edits"]);
  });

  test("counts what was broadcast above what is tracked, until the tab is gone", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob") }, 0);
    roster.setEditing("t1", true);
    roster.sync({ t1: tab("bob"), t2: tab("ann") }, 1);
    expect(seen(roster)).toEqual(["ann", "bob edits"]);
    roster.sync({}, 2);
    roster.sync({ t1: tab("bob") }, 3);
    expect(seen(roster, 3)).toEqual(["ann", "bob"]);
  });

  test("does not remember what was said of tabs that nobody has", () => {
    const roster = new Roster("me", 5_000);
    roster.setEditing("t1", true);
    roster.sync({ t1: tab("bob") }, 0);
    expect(seen(roster)).toEqual(["bob"]);
  });

  test("stays for a moment after the connection broke, without editing", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob", true) }, 0);
    roster.sync({}, 1_000);
    expect(seen(roster, 5_999)).toEqual(["bob"]);
    expect(roster.nextDeparture()).toBe(6_000);
    expect(seen(roster, 6_000)).toEqual([]);
    expect(roster.nextDeparture()).toBeUndefined();
  });

  test("is not gone when another tab, or the same person again, is there", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: tab("bob"), t2: tab("bob") }, 0);
    roster.sync({ t2: tab("bob") }, 1_000);
    expect(seen(roster, 60_000)).toEqual(["bob"]);
    roster.sync({}, 61_000);
    roster.sync({ t3: tab("bob") }, 63_000);
    expect(roster.nextDeparture()).toBeUndefined();
    expect(seen(roster, 90_000)).toEqual(["bob"]);
  });

  test("leaves out what is malformed", () => {
    const roster = new Roster("me", 5_000);
    roster.sync({ t1: [{ userId: 7 }], t2: [], t3: [null], t4: tab("ann") }, 0);
    expect(seen(roster)).toEqual(["ann"]);
  });
});

test("a budget of calls is kept in every window and says how long to wait", () => {
  const budget = new CallBudget(4, 30_000);
  expect([0, 1_000, 2_000, 3_000].map((now) => budget.take(now))).toEqual([0, 0, 0, 0]);
  expect(budget.take(3_001)).toBe(26_999);
  expect(budget.take(30_000)).toBe(0);
  expect(budget.take(30_001)).toBe(999);
});
