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

/** The one who is told to the others. */
export interface PresenceSelf {
  userId: string;
  fullName: string;
  avatarUrl: string | null;
}

/** What the person does at the post: whether they write, in which block, and whether something was changed there a moment ago. */
export interface Doing {
  isEditing: boolean;
  blockId: string | null;
  isTyping: boolean;
}
export const nothing: Doing = { isEditing: false, blockId: null, isTyping: false };

export interface PresenceConnection {
  /** Tells the others, of quick moves only the last; repeated after every reconnect and while somebody types. */
  setDoing(doing: Doing): void;
  close(): void;
}

export interface PresenceOptions {
  url: string;
  self: PresenceSelf;
  /** The others who have the post open, whenever that changes; nobody while there is no connection. */
  onParticipants(others: Participant[]): void;
  /** The session ran out: makes a new one, or rejects. */
  renewSession(): Promise<unknown>;
  /** The person is no member any more. */
  onForbidden(): void;
}

/** Keeps one presence socket open until closed. Source: specification, sections 4 and 7. */
export function connectPresence({ url, self, onParticipants, renewSession, onForbidden }: PresenceOptions): PresenceConnection {
  let socket: WebSocket;
  let doing = nothing;
  let saidAt = -Infinity;
  let later: ReturnType<typeof setTimeout> | undefined;
  const ended = new AbortController();
  let ping: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const send = (message: ClientMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  const say = () => {
    clearTimeout(later);
    later = undefined;
    saidAt = Date.now();
    send({ type: "editing-state", ...doing });
  };

  const open = () => {
    socket = new WebSocket(url, presenceProtocol);
    socket.onopen = () => {
      send({ type: "join", ...self });
      if (doing.isEditing) say();
      ping = setInterval(() => send({ type: "ping" }), presencePingMs);
    };
    socket.onmessage = (event) => receive(event.data);
    socket.onclose = (event) => {
      clearInterval(ping);
      if (ended.signal.aborted) return;
      onParticipants([]);
      if (event.code === presenceClose.forbidden) return onForbidden(); // asking again would not help
      if (event.code === presenceClose.displaced) return window.addEventListener("focus", open, { once: true, signal: ended.signal });
      if (event.code === presenceClose.sessionEnded) renewSession().catch(() => {}); // signed out: the next attempts find the new session
      retry = setTimeout(open, presenceReconnectMs);
    };
  };

  const receive = (data: unknown) => {
    const message = serverMessage.safeParse(parse(data));
    if (!message.success) return console.warn("Presence: a message of an unknown kind was left aside");
    if (message.data.type === "pong") return;
    onParticipants(message.data.participants.filter((other) => other.userId !== self.userId));
  };

  open();
  return {
    setDoing(next) {
      const isSame = next.isEditing === doing.isEditing && next.blockId === doing.blockId && next.isTyping === doing.isTyping;
      if (isSame && !(next.isTyping && Date.now() - saidAt >= presenceTypingAgainMs)) return;
      const isUrgent = next.isEditing !== doing.isEditing;
      doing = next;
      const wait = saidAt + presencePlaceGapMs - Date.now();
      if (isUrgent || wait <= 0) say();
      else later ??= setTimeout(say, wait);
    },
    close() {
      ended.abort();
      clearInterval(ping);
      clearTimeout(retry);
      clearTimeout(later);
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
