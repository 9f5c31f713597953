import { isObject } from "#contract/blocks/read.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";
import type { Authorizer, Claims, Extension } from "./authorize.ts";
import { decodeFrame, encodeBroadcast, encodeFrame, fitsFrame, type Frame, type Version } from "./frames.ts";
import type { Hub, Member } from "./hub.ts";
import { messagePace, presenceAllowance } from "./rate-limit.ts";
import { jsonOfSmall } from "./small-json.ts";

export interface Socket {
  readonly bufferedAmount: number;
  send(data: string | ArrayBuffer): void;
  close(code: number): void;
}

interface Joined extends Member {
  mayTrack: boolean | null;
  maySend: boolean | null;
  expiry?: ReturnType<typeof setTimeout> | undefined;
}

interface JoinPayload {
  access_token?: string;
  config?: {
    private?: boolean;
    presence?: { key?: unknown; enabled?: boolean };
    broadcast?: { self?: boolean; ack?: boolean };
    postgres_changes?: unknown;
  };
}

const prefix = "realtime:";
const longestTimer = 2 ** 31 - 1;
const mostChannels = 100;
/** Larger messages in bytes close the connection with 1009, a full queue with 1008. */
const longestMessage = 1_048_576;
const mostWaiting = { messages: 500, bytes: 4_194_304 };
const mostUnread = 4_194_304;
const mostCounted = 1_000;
const sizeOf = (data: string | ArrayBuffer): number => (typeof data === "string" ? data.length : data.byteLength);
const isApiKey = (token: string): boolean => token.startsWith("sb_");

let references = 0;
const nextReference = (): string => `F${(++references).toString(36)}${Math.random().toString(36).slice(2, 8)}`;

export class Connection {
  readonly #hub: Hub;
  readonly #authorizer: Authorizer;
  readonly #socket: Socket;
  readonly #version: Version;
  readonly #apiKeyClaims: Claims;
  readonly #flooded: () => void;
  readonly #joined = new Map<string, Joined>();
  /** By topic, so rejoining doesn't reset the count. */
  readonly #presenceCalls = new RecentlyUsed<ReturnType<typeof presenceAllowance>>(mostCounted, () => 1);
  readonly #pace = messagePace();
  #last: Promise<void> = Promise.resolve();
  #waiting = { messages: 0, bytes: 0 };
  #closed = false;

  constructor(hub: Hub, authorizer: Authorizer, socket: Socket, version: Version, apiKeyClaims: Claims, flooded = () => {}) {
    this.#hub = hub;
    this.#authorizer = authorizer;
    this.#socket = socket;
    this.#version = version;
    this.#apiKeyClaims = apiKeyClaims;
    this.#flooded = flooded;
  }

  /** Handles messages in order, since authorization is async. Delays fast senders and disconnects floods. */
  receive(data: string | ArrayBuffer): Promise<void> {
    const bytes = sizeOf(data);
    const isTooMuch = this.#waiting.messages >= mostWaiting.messages || this.#waiting.bytes + bytes > mostWaiting.bytes;
    if (bytes > longestMessage || isTooMuch) {
      if (!this.#closed) this.#end(bytes > longestMessage ? 1009 : 1008);
      return this.#last;
    }
    this.#wait(1, bytes);
    this.#last = this.#last
      .catch(() => {})
      .then(() => this.#inPace(bytes))
      .then(() => this.#handle(data))
      .finally(() => this.#wait(-1, -bytes));
    return this.#last;
  }

  #wait(messages: number, bytes: number): void {
    this.#waiting = { messages: this.#waiting.messages + messages, bytes: this.#waiting.bytes + bytes };
  }

  #end(code: number): void {
    this.#socket.close(code);
    this.close();
    this.#flooded();
  }

  /** Closes the connection; other members are notified afterwards, because this may run during a broadcast. */
  #disconnect(code: number): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close(code);
    queueMicrotask(() => this.close());
  }

  async #inPace(bytes: number): Promise<void> {
    const ms = this.#closed ? 0 : this.#pace(bytes, performance.now());
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Ignores messages still in the queue: nothing would clean up after them. */
  close(): void {
    this.#closed = true;
    for (const member of [...this.#joined.values()]) this.#leave(member);
  }

  async #handle(data: string | ArrayBuffer): Promise<void> {
    const frame = decodeFrame(data);
    if (!frame || this.#closed) return;
    if (frame.topic === "phoenix") return this.#reply(frame, "ok");
    if (frame.event === "phx_join") return await this.#join(frame, frame.payload as JoinPayload);
    const member = this.#joined.get(frame.topic);
    if (!member) return this.#reply(frame, "error", { reason: "unmatched topic" });
    if (frame.event === "phx_leave") return this.#leaveOnRequest(member, frame);
    if (frame.event === "access_token") return await this.#renew(member, (frame.payload as { access_token?: string }).access_token);
    if (frame.event === "presence") return await this.#presence(member, frame);
    if (frame.event === "broadcast") return await this.#broadcast(member, frame, sizeOf(data));
  }

  async #join(frame: Frame, { config = {}, access_token: token }: JoinPayload): Promise<void> {
    const joinRef = frame.joinRef ?? frame.ref;
    const refuse = (reason: string) => this.#reply({ ...frame, joinRef }, "error", { reason });
    if (config.private !== true) return refuse("PrivateOnly: This project only allows private channels");
    if (!frame.topic.startsWith(prefix) || frame.topic === prefix) return refuse("TopicNameRequired: You must provide a topic name");
    const presenceKey = config.presence?.key || crypto.randomUUID();
    if (typeof presenceKey !== "string" || !fitsFrame(presenceKey)) return refuse("InvalidJoinPayload: presence key");
    const changes = config.postgres_changes ?? [];
    if (!Array.isArray(changes) || !changes.every(isObject) || jsonOfSmall(changes) === null) {
      return refuse("InvalidJoinPayload: postgres_changes");
    }
    const before = this.#joined.get(frame.topic);
    if (before) this.#leave(before);
    if (this.#joined.size >= mostChannels) return refuse("ChannelRateLimitReached: Too many channels");

    const member = this.#memberOf(frame.topic, joinRef, presenceKey, config);
    try {
      if (token && !isApiKey(token)) member.claims = await this.#authorizer.verify(token);
    } catch (error) {
      return refuse(`InvalidJWTToken: ${(error as Error).message}`);
    }
    if (!(await this.#mayRead(member))) {
      return refuse(`Unauthorized: You do not have permissions to read from this Channel topic: ${nameOf(member)}`);
    }
    if (this.#closed) return;
    this.#joined.set(frame.topic, member);
    this.#hub.add(member);
    this.#endWithToken(member);
    this.#reply({ ...frame, joinRef }, "ok", {
      postgres_changes: changes.map((change, id) => ({ id, ...change })),
    });
    if (!member.wantsPresence) return;
    await this.#inPace(this.#hub.lengthOfState(member));
    if (this.#isIn(member)) this.#push(member, "presence_state", this.#hub.presenceState(member));
  }

  #memberOf(topic: string, joinRef: string | null, presenceKey: string, config: NonNullable<JoinPayload["config"]>): Joined {
    const member: Joined = {
      topic,
      joinRef,
      claims: this.#apiKeyClaims,
      presenceKey,
      wantsPresence: config.presence?.enabled === true,
      hearsItself: config.broadcast?.self === true,
      acknowledges: config.broadcast?.ack === true,
      mayTrack: null,
      maySend: null,
      deliverPresence: (difference) => this.#push(member, "presence_diff", difference),
      deliverBroadcast: (event, payload) => this.#deliver(member, event, payload),
      askAgain: () => this.#askAgain(member).catch(() => this.#disconnect(1011)), // the client can reconnect
      disconnect: () => this.#disconnect(1011),
    };
    return member;
  }

  #mayRead(member: Joined): Promise<boolean> {
    const extension: Extension = member.wantsPresence ? "presence" : "broadcast";
    return this.#authorizer.mayRead(nameOf(member), member.claims, extension);
  }

  #mayWrite(member: Joined, extension: Extension): Promise<boolean> {
    return this.#authorizer.mayWrite(nameOf(member), member.claims, extension);
  }

  /** A channel does not outlive the token it was joined with. */
  #endWithToken(member: Joined): void {
    clearTimeout(member.expiry);
    if (!member.claims.exp) return;
    const left = Math.max(0, member.claims.exp * 1_000 - Date.now());
    member.expiry = setTimeout(() => this.#shutDown(member, "Token has expired"), Math.min(left, longestTimer));
  }

  async #renew(member: Joined, token: string | undefined): Promise<void> {
    if (!token || isApiKey(token)) return;
    try {
      member.claims = await this.#authorizer.verify(token);
    } catch (error) {
      return this.#shutDown(member, (error as Error).message);
    }
    this.#endWithToken(member);
    await this.#askAgain(member);
  }

  async #askAgain(member: Joined): Promise<void> {
    member.mayTrack = member.maySend = null;
    if (await this.#mayRead(member)) return;
    if (!this.#isIn(member)) return; // left while waiting
    this.#shutDown(member, `You no longer have permission to read from this Channel topic: ${nameOf(member)}`);
  }

  async #presence(member: Joined, frame: Frame): Promise<void> {
    if (!this.#mayCallPresence(member)) return this.#shutDown(member, "Client presence rate limit exceeded");
    const { event, payload = {} } = frame.payload as { event?: string; payload?: unknown };
    if (event?.toLowerCase() === "untrack") {
      this.#hub.setPresence(member, undefined);
      return this.#reply(frame, "ok");
    }
    if (event?.toLowerCase() !== "track") return this.#reply(frame, "error", { reason: "unknown presence event" });
    if (!isObject(payload)) return this.#reply(frame, "error", { reason: "Presence track payload must be a map" });
    const tracked = jsonOfSmall(payload);
    if (tracked === null) return this.#shutDown(member, "Track message size exceeded");
    if (!(member.mayTrack ??= await this.#mayWrite(member, "presence"))) return this.#reply(frame, "error", { reason: "unauthorized" });
    if (tracked !== member.tracked) await this.#track(member, payload, tracked);
    this.#reply(frame, "ok");
  }

  async #track(member: Joined, payload: Record<string, unknown>, tracked: string): Promise<void> {
    await this.#inPace(2 * tracked.length * this.#hub.sizeOf(member)); // counts for each recipient, on join and on leave
    if (!this.#isIn(member)) return;
    const previous = member.meta ? { phx_ref_prev: member.meta.phx_ref } : {};
    this.#hub.setPresence(member, { ...payload, phx_ref: nextReference(), ...previous }, tracked);
  }

  #mayCallPresence({ topic }: Joined): boolean {
    const isAllowed = this.#presenceCalls.get(topic) ?? presenceAllowance();
    this.#presenceCalls.set(topic, isAllowed);
    return isAllowed(Date.now());
  }

  async #broadcast(member: Joined, frame: Frame, bytes: number): Promise<void> {
    const { event = "", payload } = frame.payload as { event?: unknown; payload?: unknown };
    const refuse = (reason: string) => (member.acknowledges ? this.#reply(frame, "error", { reason }) : undefined);
    if (typeof event !== "string" || !fitsFrame(event)) return refuse("an event has 255 bytes at most");
    if (!(member.maySend ??= await this.#mayWrite(member, "broadcast"))) return refuse("unauthorized");
    await this.#inPace(bytes * (this.#hub.sizeOf(member) - 1)); // counts for each recipient
    if (!this.#isIn(member)) return;
    this.#hub.broadcast(member, event, payload, member);
    if (member.acknowledges) this.#reply(frame, "ok");
  }

  #leaveOnRequest(member: Joined, frame: Frame): void {
    this.#leave(member);
    this.#reply(frame, "ok");
    this.#push(member, "phx_close", {});
  }

  #shutDown(member: Joined, message: string): void {
    this.#push(member, "system", { extension: "system", status: "error", message, channel: nameOf(member) });
    this.#leave(member);
    this.#push(member, "phx_close", {});
  }

  #leave(member: Joined): void {
    clearTimeout(member.expiry);
    this.#joined.delete(member.topic);
    this.#hub.remove(member);
  }

  /** False after leaving or closing while a message waited. */
  #isIn(member: Joined): boolean {
    return this.#joined.get(member.topic) === member;
  }

  #push(member: Member, event: string, payload: unknown): void {
    this.#send(() => encodeFrame(this.#version, { joinRef: member.joinRef, ref: null, topic: member.topic, event, payload }));
  }

  #reply(frame: Frame, status: "ok" | "error", response: object = {}): void {
    const joinRef = frame.joinRef ?? this.#joined.get(frame.topic)?.joinRef ?? null;
    this.#send(() =>
      encodeFrame(this.#version, { joinRef, ref: frame.ref, topic: frame.topic, event: "phx_reply", payload: { status, response } }),
    );
  }

  #deliver(member: Member, event: string, payload: unknown): void {
    if (this.#version === "2.0.0") this.#send(() => encodeBroadcast(member.topic, event, payload));
    else this.#push(member, "broadcast", { type: "broadcast", event, payload });
  }

  #send(encode: () => string | ArrayBuffer): void {
    if (this.#closed) return;
    if (this.#socket.bufferedAmount > mostUnread) return this.#disconnect(1008);
    try {
      this.#socket.send(encode());
    } catch {
      // closed meanwhile (its close event removes it from the hub), or too deep or long to encode
    }
  }
}

const nameOf = ({ topic }: Member): string => topic.slice(prefix.length);
