import { presencePingMs } from "#contract/limits.ts";
import { presenceReconnectMs } from "../../lib/timings.ts";
import {
  presenceClose,
  presencePlaceGapMs,
  presenceProtocol,
  presenceTypingAgainMs,
  serverMessage,
  type ClientMessage,
  type Participant,
} from "#contract/presence.ts";

export interface PresenceSelf {
  userId: string;
  fullName: string;
  avatarUrl: string | null;
}

/** The user's activity in the post; `isTyping`: changed something a moment ago. */
export interface Activity {
  isEditing: boolean;
  blockId: string | null;
  isTyping: boolean;
}
export const idleActivity: Activity = { isEditing: false, blockId: null, isTyping: false };

export interface PresenceConnection {
  /** Sent throttled; repeated after reconnects and while typing. */
  setActivity(doing: Activity): void;
  close(): void;
}

export interface PresenceOptions {
  url: string;
  self: PresenceSelf;
  /** Empty while disconnected. */
  onParticipants(others: Participant[]): void;
  /** Called when the session expired; rejects on failure. */
  renewSession(): Promise<unknown>;
  /** The user is no longer a member. */
  onForbidden(): void;
}

/** Keeps a presence socket open, with reconnects. Source: specification, sections 4 and 7. */
export function connectPresence({ url, self, onParticipants, renewSession, onForbidden }: PresenceOptions): PresenceConnection {
  let socket: WebSocket;
  let activity = idleActivity;
  let sentAt = -Infinity;
  let throttle: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();
  let ping: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const send = (message: ClientMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  const sendActivity = () => {
    clearTimeout(throttle);
    throttle = undefined;
    sentAt = Date.now();
    send({ type: "editing-state", ...activity });
  };

  const open = () => {
    socket = new WebSocket(url, presenceProtocol);
    socket.onopen = () => {
      send({ type: "join", ...self });
      if (activity.isEditing) sendActivity();
      ping = setInterval(() => send({ type: "ping" }), presencePingMs);
    };
    socket.onmessage = (event) => receive(event.data);
    socket.onclose = (event) => {
      clearInterval(ping);
      if (ended.signal.aborted) return;
      onParticipants([]);
      if (event.code === presenceClose.forbidden) return onForbidden();
      if (event.code === presenceClose.displaced) return window.addEventListener("focus", open, { once: true, signal: ended.signal });
      if (event.code === presenceClose.sessionEnded) renewSession().catch(() => {}); // signed out: later attempts use the new session
      retry = setTimeout(open, presenceReconnectMs);
    };
  };

  const receive = (data: unknown) => {
    const message = serverMessage.safeParse(parse(data));
    if (!message.success) return console.warn("Presence: unknown message type ignored");
    if (message.data.type === "pong") return;
    onParticipants(message.data.participants.filter((other) => other.userId !== self.userId));
  };

  open();
  return {
    setActivity(next) {
      const isSame = next.isEditing === activity.isEditing && next.blockId === activity.blockId && next.isTyping === activity.isTyping;
      if (isSame && !(next.isTyping && Date.now() - sentAt >= presenceTypingAgainMs)) return;
      const isUrgent = next.isEditing !== activity.isEditing;
      activity = next;
      const wait = sentAt + presencePlaceGapMs - Date.now();
      if (isUrgent || wait <= 0) sendActivity();
      else throttle ??= setTimeout(sendActivity, wait);
    },
    close() {
      ended.abort();
      clearInterval(ping);
      clearTimeout(retry);
      clearTimeout(throttle);
      socket.close(1000);
      onParticipants([]);
    },
  };
}

function parse(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
