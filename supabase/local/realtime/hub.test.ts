import { expect, test, vi } from "vitest";
import { Hub, type Member } from "./hub.ts";

const topic = "realtime:test";

function enter(hub: Hub, person: string, more: Partial<Member> = {}) {
  const heard: unknown[] = [];
  const asked: (() => void)[] = [];
  const member: Member = {
    topic,
    joinRef: null,
    claims: { sub: person },
    presenceKey: person,
    wantsPresence: true,
    hearsItself: false,
    acknowledges: false,
    deliverPresence: ({ joins }) => void heard.push(Object.keys(joins)),
    deliverBroadcast: (event) => void heard.push(event),
    askAgain: () => new Promise((resolve) => void asked.push(resolve)),
    disconnect: vi.fn(),
    ...more,
  };
  hub.add(member);
  return { member, heard, asked };
}

const soon = () => new Promise((resolve) => setTimeout(resolve));

test("a member that can't be notified doesn't block others and can leave", () => {
  const errors = vi.spyOn(console, "error").mockReturnValue();
  const hub = new Hub();
  const broken = () => {
    throw new RangeError("Maximum call stack size exceeded");
  };
  const [ann] = [enter(hub, "ann", { deliverPresence: broken, deliverBroadcast: broken })];
  const bob = enter(hub, "bob");
  hub.setPresence(ann.member, { phx_ref: "1" }, "{}");
  hub.broadcast({ topic }, "note", {});
  hub.setPresence(bob.member, { phx_ref: "2" }, "{}");
  hub.remove(bob.member);
  expect([bob.heard, hub.sizeOf({ topic }), errors.mock.calls.length]).toEqual([[["ann"], "note", ["bob"]], 1, 4]);
});

test("during a check only that person waits; members get missed messages in order, removed ones nothing", async () => {
  const hub = new Hub();
  const [ann, first, second] = [enter(hub, "ann"), enter(hub, "bob"), enter(hub, "bob")];
  hub.askAgain("bob");
  for (const event of ["1", "2"]) hub.broadcast({ topic }, event, {});
  expect([ann.heard, first.heard, second.heard]).toEqual([["1", "2"], [], []]);
  hub.remove(second.member);
  for (const { asked } of [first, second]) asked[0]!();
  await soon();
  expect([first.heard, second.heard]).toEqual([["1", "2"], []]);
  hub.broadcast({ topic }, "3", {});
  expect(first.heard).toEqual(["1", "2", "3"]);
});

test("checks of a person are sequential and coalesced", async () => {
  const hub = new Hub();
  const { heard, asked } = enter(hub, "ann");
  for (let ending = 0; ending < 100; ending++) hub.askAgain("ann");
  hub.broadcast({ topic }, "1", {});
  expect(asked.length).toBe(1);
  asked[0]!();
  await soon();
  expect([asked.length, heard]).toEqual([2, []]);
  asked[1]!();
  await soon();
  expect([asked.length, heard]).toEqual([2, ["1"]]);
});

test("the buffer of a checked person is limited", () => {
  const hub = new Hub();
  const { member, heard } = enter(hub, "ann");
  hub.askAgain("ann");
  for (let count = 0; count < 10_000; count++) hub.broadcast({ topic }, "note", {});
  expect(member.disconnect).not.toHaveBeenCalled();
  hub.broadcast({ topic }, "note", {});
  expect([vi.mocked(member.disconnect).mock.calls.length, heard]).toEqual([1, []]);
});
