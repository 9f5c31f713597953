import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { presenceClose, presenceSilenceMs } from "#contract/presence.ts";
import { Bridge } from "./bridge.ts";
import type { Membership } from "./queries.ts";
import type { Editing, Seal } from "./seal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const member: { standing: Membership; asked: number } = { standing: "member", asked: 0 };
  const ended: number[] = [];
  const socket = Object.assign(new EventTarget(), {
    readyState: WebSocket.OPEN as number,
    send: () => {},
    close: (code: number) => end(code),
  });
  const end = (code: number) => {
    ended.push(code);
    socket.readyState = WebSocket.CLOSED;
    socket.dispatchEvent(new CloseEvent("close", { code }));
  };
  const heard: unknown[] = [];
  // Web Crypto doesn't run on fake timers.
  const seal = { closeTracked: async () => "", closeEditing: async (said: Editing) => JSON.stringify(said) };
  const channel = {
    on: () => channel,
    subscribe: (told: (status: string) => void) => (told("SUBSCRIBED"), channel),
    presenceState: () => ({}),
    track: () => {},
    send: ({ payload }: { payload: { sealed: string } }) => {
      const { isEditing, blockId, isTyping, isLeaving } = JSON.parse(payload.sealed) as Editing;
      heard.push(isLeaving ? "leaves" : [isEditing, blockId, isTyping]);
    },
  };
  const bridge = new Bridge({
    socket: socket as unknown as WebSocket,
    channel: channel as unknown as RealtimeChannel,
    closeChannel: () => heard.push("channel closed"),
    seal: seal as Partial<Seal> as Seal,
    tab: "t1",
    userId: "ann",
    sessionEndsAt: Date.now() + 3_600_000,
    mayWrite: true,
    readPerson: async () => ({ fullName: "Ann", avatarUrl: null }),
    standing: async () => ((member.asked += 1), member.standing),
    warn: () => {},
  });
  const say = (message: object) => socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  return { bridge, end, ended, heard, member, say };
}

test("a silent socket is closed and can reconnect", async () => {
  const { ended } = open();
  await vi.advanceTimersByTimeAsync(presenceSilenceMs - 1);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([presenceClose.restarting]);
});

test("an oversized message closes the socket", () => {
  const { ended, say } = open();
  const message = (length: number) => ({ type: "join", userId: "x".repeat(length - '{"type":"join","userId":""}'.length) });
  say(message(8_192));
  expect(ended).toEqual([]);
  say(message(8_193));
  expect(ended).toEqual([1009]);
});

test("a signed-out person's socket closes with session ended", async () => {
  const { bridge, ended, member } = open();
  await bridge.recheck();
  expect(ended).toEqual([]);
  member.standing = "signed out";
  await bridge.recheck();
  expect(ended).toEqual([presenceClose.sessionEnded]);
});

test.each([
  [1000, "the client closes it", ["leaves", "channel closed"]],
  [1001, "its page goes", ["leaves", "channel closed"]],
  [1006, "the connection breaks", ["channel closed"]],
  [presenceClose.restarting, "the server restarts", ["channel closed"]],
])("a socket that ends with %i, as %s, tells the others %j", async (code, _, told) => {
  const { end, heard, say } = open();
  say({ type: "join", userId: "ann", fullName: "Ann" });
  await vi.advanceTimersByTimeAsync(0);
  end(code);
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual(told);
});

describe("the position", () => {
  const at = (blockId: string | null, fields: object = {}) => ({ type: "editing-state", isEditing: true, blockId, ...fields });
  const joined = async () => {
    const opened = open();
    opened.say({ type: "join", userId: "ann", fullName: "Ann" });
    await vi.advanceTimersByTimeAsync(0);
    return opened;
  };

  test("is sent at once, then throttled to the latest", async () => {
    const { heard, say } = await joined();
    say(at("b1"));
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toEqual([[true, "b1", false]]);
    for (let block = 2; block < 60; block++) {
      say(at(`b${block}`));
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(heard).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heard).toEqual([
      [true, "b1", false],
      [true, "b59", false],
    ]);
  });

  test("is empty for non-editors, and typing needs a block", async () => {
    const { heard, say } = await joined();
    say(at("b1", { isTyping: true }));
    await vi.advanceTimersByTimeAsync(1_000);
    say(at("b1", { isEditing: false, isTyping: true }));
    await vi.advanceTimersByTimeAsync(1_000);
    say(at(null, { isTyping: true }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heard).toEqual([
      [true, "b1", true],
      [false, null, false],
      [true, null, false],
    ]);
  });

  test("is repeated only while typing", async () => {
    const { heard, say } = await joined();
    for (let again = 0; again < 3; again++) {
      say(at("b1"));
      await vi.advanceTimersByTimeAsync(2_500);
    }
    expect(heard).toHaveLength(1);
    for (let again = 0; again < 3; again++) {
      say(at("b1", { isTyping: true }));
      await vi.advanceTimersByTimeAsync(2_500);
    }
    expect(heard).toHaveLength(4);
  });

  test("is empty for viewers from the change of role on", async () => {
    const { bridge, heard, member, say } = await joined();
    say(at("b1", { isTyping: true }));
    await vi.advanceTimersByTimeAsync(1_000);
    member.standing = "viewer";
    await bridge.recheck();
    await vi.advanceTimersByTimeAsync(1_000);
    say(at("b2", { isTyping: true }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heard).toEqual([
      [true, "b1", true],
      [true, null, false],
    ]);
    member.standing = "member";
    await bridge.recheck();
    say(at("b3"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heard.at(-1)).toEqual([true, "b3", false]);
  });

  test("is empty for older clients; invalid ids change nothing", async () => {
    const { heard, say } = await joined();
    say({ type: "editing-state", isEditing: true });
    await vi.advanceTimersByTimeAsync(1_000);
    say(at("<img src=x>"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heard).toEqual([[true, null, false]]);
  });
});
