import type { RealtimeChannel } from "@supabase/supabase-js";
import { clientMessage, presenceClose, type ServerMessage } from "#contract/presence.ts";
import { CallBudget } from "./call-budget.ts";
import type { Person } from "./queries.ts";
import { Roster, type Tracked } from "./roster.ts";

/** What a bridge needs of the world around it. */
export interface BridgeOptions {
  socket: WebSocket;
  channel: RealtimeChannel;
  closeChannel(): void;
  /** Key of this tab in the channel. */
  tab: string;
  userId: string;
  /** Milliseconds since 1970. */
  sessionEndsAt: number;
  readPerson(): Promise<Person>;
  isStillMember(): Promise<boolean>;
  warn(message: string): void;
}

const graceMs = 5_000;
const recheckMs = 25_000; // a little below the client's ping, so that each ping asks
const timersApartMs = 1_000; // how far Realtime's clock for the end of a token may be ahead of ours
const longestTimerMs = 2 ** 31 - 1;

/** Carries section 7's presence messages between one browser tab and the post's Realtime channel. */
export class Bridge {
  readonly #with: BridgeOptions;
  readonly #roster: Roster;
  /** Hosted Realtime closes the channel of a client after 5 presence calls in 30 s. */
  readonly #tracks = new CallBudget(4, 30_000);
  readonly #messages = new CallBudget(120, 30_000);
  /** Known once the tab has joined. */
  #person: Person | null = null;
  #isEditing = false;
  #trackedEditing = false;
  #lastUpdate = "";
  #checkedAt = Date.now();
  #trackTimer: ReturnType<typeof setTimeout> | undefined;
  #departureTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #sessionTimer: ReturnType<typeof setTimeout>;
  readonly #joined: Promise<void>;

  constructor(options: BridgeOptions) {
    this.#with = options;
    this.#roster = new Roster(options.userId, graceMs);
    this.#joined = this.#subscribe(options.channel);
    const left = Math.min(options.sessionEndsAt - Date.now(), longestTimerMs);
    this.#sessionTimer = setTimeout(() => this.close(presenceClose.sessionEnded, "session ended"), left);
    options.socket.addEventListener("message", (event) => void this.#receive(event.data));
    options.socket.addEventListener("close", () => this.#leave());
  }

  close(code: number, reason: string): void {
    const { socket } = this.#with;
    if (socket.readyState === WebSocket.OPEN || socket.readyState === WebSocket.CONNECTING) socket.close(code, reason);
  }

  #subscribe(channel: RealtimeChannel): Promise<void> {
    channel
      .on("presence", { event: "sync" }, () => this.#sync())
      .on("presence", { event: "join" }, ({ key }) => this.#welcome(key))
      .on("broadcast", { event: "editing" }, ({ payload }) => {
        this.#roster.setEditing(String(payload.tab), payload.isEditing === true);
        this.#tell();
      });
    return new Promise((resolve) => {
      channel.subscribe((status, error) => {
        if (status === "SUBSCRIBED") return resolve();
        this.close(...this.#reasonOf(error));
      });
    });
  }

  /** Why a channel has ended. Realtime ends it by itself when the token does, and may be a moment before our own timer. */
  #reasonOf(error: Error | undefined): [code: number, reason: string] {
    if (Date.now() > this.#with.sessionEndsAt - timersApartMs) return [presenceClose.sessionEnded, "session ended"];
    if (/unauthorized|permission/i.test(error?.message ?? "")) return [presenceClose.forbidden, "forbidden"];
    return [presenceClose.restarting, "try again"];
  }

  async #receive(data: unknown): Promise<void> {
    if (this.#messages.take(Date.now()) > 0) return this.close(presenceClose.tooMuch, "too many messages");
    const message = clientMessage.safeParse(parseJson(data));
    if (!message.success) return this.#with.warn("unknown presence message");
    if (message.data.type === "ping") return await this.#ping();
    if (message.data.type === "editing-state") return this.#setEditing(message.data.isEditing);
    await this.#join();
  }

  /** What the client calls itself in its message does not count: the session and the profile do. */
  async #join(): Promise<void> {
    const [person] = await Promise.all([this.#with.readPerson(), this.#joined]);
    if (this.#with.socket.readyState !== WebSocket.OPEN) return;
    this.#person = person;
    this.#track();
    this.#tell(true);
  }

  async #ping(): Promise<void> {
    this.#send({ type: "pong" });
    if (Date.now() - this.#checkedAt < recheckMs) return;
    this.#checkedAt = Date.now();
    if (!(await this.#with.isStillMember())) this.close(presenceClose.forbidden, "forbidden");
  }

  #setEditing(isEditing: boolean): void {
    if (this.#isEditing === isEditing) return;
    this.#isEditing = isEditing;
    if (!this.#person) return;
    this.#broadcastEditing();
    this.#track();
  }

  /** Tracks what is true now, or as soon as the budget allows. */
  #track(): void {
    clearTimeout(this.#trackTimer);
    if (!this.#person) return;
    const wait = this.#tracks.take(Date.now());
    if (wait > 0) {
      this.#trackTimer = setTimeout(() => this.#track(), wait);
      return;
    }
    this.#trackedEditing = this.#isEditing;
    const state: Tracked = { userId: this.#with.userId, ...this.#person, isEditing: this.#isEditing };
    void this.#with.channel.track(state);
  }

  /** Somebody new sees only what is tracked; tell what has changed since. */
  #welcome(tab: string): void {
    if (tab !== this.#with.tab && this.#person && this.#isEditing !== this.#trackedEditing) this.#broadcastEditing();
  }

  #broadcastEditing(): void {
    void this.#with.channel.send({ type: "broadcast", event: "editing", payload: { tab: this.#with.tab, isEditing: this.#isEditing } });
  }

  #sync(): void {
    this.#roster.sync(this.#with.channel.presenceState(), Date.now());
    this.#tell();
  }

  /** Sends the participants when they differ from what was sent last, or `always`. */
  #tell(always = false): void {
    clearTimeout(this.#departureTimer);
    const now = Date.now();
    const update: ServerMessage = { type: "presence-update", participants: this.#roster.participants(now) };
    const next = this.#roster.nextDeparture();
    if (next !== undefined) this.#departureTimer = setTimeout(() => this.#tell(), next - now + 1);
    const text = JSON.stringify(update);
    if (!this.#person || (text === this.#lastUpdate && !always)) return;
    this.#lastUpdate = text;
    this.#send(update);
  }

  #send(message: ServerMessage): void {
    if (this.#with.socket.readyState === WebSocket.OPEN) this.#with.socket.send(JSON.stringify(message));
  }

  #leave(): void {
    for (const timer of [this.#trackTimer, this.#departureTimer, this.#sessionTimer]) clearTimeout(timer);
    this.#person = null;
    this.#with.closeChannel();
  }
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === "string" && data.length <= 8_192 ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
