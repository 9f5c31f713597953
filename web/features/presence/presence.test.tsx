import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { presenceClose, type Participant } from "#contract/presence.ts";
import { connectPresence, idleActivity } from "./presence-connection.ts";
import { FakeSocket, stubSockets } from "../../../tests/support/web/posts-support.ts";

beforeEach(() => {
  vi.useFakeTimers();
  stubSockets();
});
afterEach(() => vi.useRealTimers());

const self = { userId: "ada", fullName: "Ada", avatarUrl: null };

function connect() {
  const seen: Participant[][] = [];
  const renewSession = vi.fn(async () => undefined);
  const onForbidden = vi.fn();
  const connection = connectPresence({
    url: "ws://here/ws/presence/w/p",
    self,
    onParticipants: (others) => seen.push(others),
    renewSession,
    onForbidden,
  });
  const socket = FakeSocket.made[0]!;
  socket.onopen?.();
  return { connection, socket, seen, renewSession, onForbidden };
}

const at = (blockId: string | null, isTyping = false) => ({ isEditing: true, blockId, isTyping });
const activityMessages = (socket: FakeSocket) => socket.sent.filter((message) => (message as { type: string }).type === "editing-state");

test("presence joins, pings every 30 s, and sends only changes", () => {
  const { connection, socket } = connect();
  connection.setActivity(at(null));
  connection.setActivity(at(null));
  connection.setActivity(idleActivity);
  vi.advanceTimersByTime(30_000);
  expect(socket.sent).toEqual([
    { type: "join", ...self },
    { type: "editing-state", isEditing: true, blockId: null, isTyping: false },
    { type: "editing-state", isEditing: false, blockId: null, isTyping: false },
    { type: "ping" },
  ]);
});

test("presence throttles quick moves below the server's rate limit", () => {
  const { connection, socket } = connect();
  connection.setActivity(at("b0"));
  for (let move = 1; move <= 3_000; move++) {
    connection.setActivity(at(`b${move}`));
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1_000);
  expect(activityMessages(socket).length).toBeLessThanOrEqual(30_000 / 400 + 2);
  expect(activityMessages(socket).at(-1)).toMatchObject({ blockId: "b3000" });
});

test("presence repeats typing every few seconds, not on every key", () => {
  const { connection, socket } = connect();
  for (let key = 0; key < 100; key++) {
    connection.setActivity(at("b1", true));
    vi.advanceTimersByTime(100);
  }
  expect(activityMessages(socket)).toHaveLength(4); // at 0, 2.5, 5 and 7.5 s
});

test("presence reconnects after 3 s and resends its state", () => {
  const { connection, socket, seen } = connect();
  connection.setActivity(at("b1", true));
  socket.close(1006);
  expect(seen.at(-1)).toEqual([]);
  vi.advanceTimersByTime(2_999);
  expect(FakeSocket.made).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const again = FakeSocket.made[1]!;
  again.onopen?.();
  expect(activityMessages(again)).toEqual([{ type: "editing-state", ...at("b1", true) }]);
});

test("presence reconnects a displaced tab only on focus", () => {
  const { socket, onForbidden } = connect();
  socket.close(presenceClose.displaced);
  vi.advanceTimersByTime(60_000);
  expect([FakeSocket.made.length, onForbidden.mock.calls.length]).toEqual([1, 0]);
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("focus"));
  expect(FakeSocket.made).toHaveLength(2);
});

test("presence renews an ended session, and stops when forbidden", () => {
  const first = connect();
  first.socket.close(presenceClose.sessionEnded);
  expect(first.renewSession).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(4_000);
  expect(FakeSocket.made).toHaveLength(2);
  FakeSocket.made[1]!.close(presenceClose.forbidden);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.made).toHaveLength(2);
});
