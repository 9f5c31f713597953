import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { presencePingMs } from "#contract/limits.ts";
import { presenceClose, presenceSilenceMs } from "#contract/presence.ts";
import { Bridge } from "../../edge-functions/presence/bridge.ts";
import type { Standing } from "../../edge-functions/presence/queries.ts";
import { Seal } from "../../edge-functions/presence/seal.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A bridge whose socket and channel are stand-ins: what the client may send, and how the socket ended. */
function open() {
  const member: { standing: Standing; asked: number } = { standing: "member", asked: 0 };
  const ended: number[] = [];
  const socket = Object.assign(new EventTarget(), {
    readyState: WebSocket.OPEN as number,
    send: () => {},
    close: (code: number) => end(code),
  });
  const end = (code: number) => {
    ended.push(code);
    socket.readyState = WebSocket.CLOSED;
    socket.dispatchEvent(new Event("close"));
  };
  const channel = { on: () => channel, subscribe: () => channel, presenceState: () => ({}), track: () => {}, send: () => {} };
  const bridge = new Bridge({
    socket: socket as unknown as WebSocket,
    channel: channel as unknown as RealtimeChannel,
    closeChannel: () => {},
    seal: new Seal({ secretKey: "1" }, "post"),
    tab: "t1",
    userId: "ann",
    sessionEndsAt: Date.now() + 3_600_000,
    readPerson: async () => ({ fullName: "Ann", avatarUrl: null }),
    standing: async () => ((member.asked += 1), member.standing),
    warn: () => {},
  });
  const say = (message: object) => socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  return { bridge, ended, member, say };
}

test("a socket that says nothing is closed, and may come back", async () => {
  const { ended } = open();
  await vi.advanceTimersByTimeAsync(presenceSilenceMs - 1);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([presenceClose.restarting]);
});

test("one that pings stays, and is asked for its membership each time", async () => {
  const { ended, member, say } = open();
  for (let ping = 0; ping < 20; ping++) {
    await vi.advanceTimersByTimeAsync(presencePingMs);
    say({ type: "ping" });
  }
  expect([ended, member.asked]).toEqual([[], 20]);
  member.standing = "removed";
  await vi.advanceTimersByTimeAsync(presencePingMs);
  say({ type: "ping" });
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([presenceClose.forbidden]);
});

test("so is one that says something else instead", async () => {
  const { ended, member, say } = open();
  member.standing = "removed";
  await vi.advanceTimersByTimeAsync(presencePingMs);
  say({ type: "editing-state", isEditing: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual([presenceClose.forbidden]);
});

test("whoever has signed out meanwhile hears that the session has ended", async () => {
  const { bridge, ended, member } = open();
  await bridge.recheck();
  expect(ended).toEqual([]);
  member.standing = "signed out";
  await bridge.recheck();
  expect(ended).toEqual([presenceClose.sessionEnded]);
});
