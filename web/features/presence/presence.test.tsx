import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { presenceClose, type Participant } from "#contract/presence.ts";
import { connectPresence, nothing } from "./presence-connection.ts";
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
const said = (socket: FakeSocket) => socket.sent.filter((message) => (message as { type: string }).type === "editing-state");

test("joins, pings every 30 s and says who writes only when that changes", () => {
  const { connection, socket } = connect();
  connection.setDoing(at(null));
  connection.setDoing(at(null));
  connection.setDoing(nothing);
  vi.advanceTimersByTime(30_000);
  expect(socket.sent).toEqual([
    { type: "join", ...self },
    { type: "editing-state", isEditing: true, blockId: null, isTyping: false },
    { type: "editing-state", isEditing: false, blockId: null, isTyping: false },
    { type: "ping" },
  ]);
});

test("of quick moves the last is said, and within the rate that the server takes", () => {
  const { connection, socket } = connect();
  connection.setDoing(at("b0"));
  for (let move = 1; move <= 3_000; move++) {
    connection.setDoing(at(`b${move}`));
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(1_000);
  expect(said(socket).length).toBeLessThanOrEqual(30_000 / 400 + 2);
  expect(said(socket).at(-1)).toMatchObject({ blockId: "b3000" });
});

test("while somebody types, that is said again every few seconds, not at every key", () => {
  const { connection, socket } = connect();
  for (let key = 0; key < 100; key++) {
    connection.setDoing(at("b1", true));
    vi.advanceTimersByTime(100);
  }
  expect(said(socket)).toHaveLength(4); // at 0, 2.5, 5 and 7.5 s
});

test("comes back 3 s after a close and tells its editing state again", () => {
  const { connection, socket, seen } = connect();
  connection.setDoing(at("b1", true));
  socket.close(1006);
  expect(seen.at(-1)).toEqual([]);
  vi.advanceTimersByTime(2_999);
  expect(FakeSocket.made).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const again = FakeSocket.made[1]!;
  again.onopen?.();
  expect(said(again)).toEqual([{ type: "editing-state", ...at("b1", true) }]);
});

test("with too many tabs open, the one that was displaced comes back when somebody looks at it again, and not by itself", () => {
  const { socket, onForbidden } = connect();
  socket.close(presenceClose.displaced);
  vi.advanceTimersByTime(60_000);
  expect([FakeSocket.made.length, onForbidden.mock.calls.length]).toEqual([1, 0]);
  window.dispatchEvent(new Event("focus"));
  window.dispatchEvent(new Event("focus"));
  expect(FakeSocket.made).toHaveLength(2);
});

test("renews an ended session, and does not come back to a workspace that is closed to it", () => {
  const first = connect();
  first.socket.close(presenceClose.sessionEnded);
  expect(first.renewSession).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(4_000);
  expect(FakeSocket.made).toHaveLength(2);
  FakeSocket.made[1]!.close(presenceClose.forbidden);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.made).toHaveLength(2);
});
