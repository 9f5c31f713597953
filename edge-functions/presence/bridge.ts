import type { RealtimeChannel } from "@supabase/realtime-js";
import {
  clientMessage,
  presenceClose,
  presenceMessageMaxLength,
  presenceSilenceMs,
  presenceTellGapMs,
  type ServerMessage,
} from "#contract/presence.ts";
import { CallBudget } from "./limits.ts";
import type { Person, Membership } from "./queries.ts";
import { type Doing, idle, Roster, type Tracked } from "./roster.ts";
import type { Editing, Seal } from "./seal.ts";

export interface BridgeOptions {
  socket: WebSocket;
  channel: RealtimeChannel;
  closeChannel(): void;
  seal: Seal;
  tab: string;
  userId: string;
  sessionEndsAt: number;
  /** Viewers are in no block, so they don't block editing. */
  mayWrite: boolean;
  readPerson(): Promise<Person>;
  standing(): Promise<Membership>;
  warn(message: string): void;
}

export const closingOf = (membership: Exclude<Membership, "member" | "viewer">): [code: number, reason: string] =>
  membership === "removed" ? [presenceClose.forbidden, "forbidden"] : [presenceClose.sessionEnded, "session ended"];

/** Deliberate close codes of client and browser; others mean a lost connection. */
const deliberateCloses: readonly number[] = [1000, 1001];
const graceMs = 5_000;
const recheckMs = 25_000; // just below the ping interval, so each ping rechecks
const recheckPatienceMs = 3_000;
const timersApartMs = 1_000; // clock skew of Realtime's token expiry
/** Throttle of positions, scaled by the number of tabs. */
const placeGapMs = 300;
const placeGapPerTabMs = 40;
const longestTimerMs = 2 ** 31 - 1;

/** Bridges section 7's messages between a tab and the post's Realtime channel. */
export class Bridge {
  readonly #with: BridgeOptions;
  readonly #roster: Roster;
  /** Hosted Realtime closes a channel after 5 presence calls in 30 s. */
  readonly #tracks = new CallBudget(4, 30_000);
  readonly #messages = new CallBudget(120, 30_000);
  #person: Person | null = null;
  #mayWrite: boolean;
  #doing = idle;
  #tracked = idle;
  #saidAt = 0;
  #sayTimer: ReturnType<typeof setTimeout> | undefined;
  #lastUpdate = "";
  #toldAt = 0;
  #tellTimer: ReturnType<typeof setTimeout> | undefined;
  #checkedAt = Date.now();
  #trackTimer: ReturnType<typeof setTimeout> | undefined;
  #changeTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #sessionTimer: ReturnType<typeof setTimeout>;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  #left = false;
  #last: Promise<void> = Promise.resolve();
  #syncs = false;
  readonly #joined: Promise<void>;

  constructor(options: BridgeOptions) {
    this.#with = options;
    this.#mayWrite = options.mayWrite;
    this.#roster = new Roster(options.userId, graceMs);
    this.#joined = this.#subscribe(options.channel);
    const left = Math.min(options.sessionEndsAt - Date.now(), longestTimerMs);
    this.#sessionTimer = setTimeout(() => this.close(presenceClose.sessionEnded, "session ended"), left);
    this.#waitForWord();
    options.socket.addEventListener("message", (event) => void this.#receive(event.data));
    options.socket.addEventListener("close", ({ code }) => this.#leave(code));
  }

  close(code: number, reason: string): void {
    const { socket } = this.#with;
    if (socket.readyState === WebSocket.OPEN || socket.readyState === WebSocket.CONNECTING) socket.close(code, reason);
  }

  #subscribe(channel: RealtimeChannel): Promise<void> {
    channel
      .on("presence", { event: "sync" }, () => this.#syncSoon())
      .on("presence", { event: "join" }, ({ key }) => this.#welcome(key))
      .on("broadcast", { event: "editing" }, ({ payload }) => this.#inTurn(() => this.#hearEditing(sealedIn(payload))));
    return new Promise((resolve) => {
      channel.subscribe((status, error) => {
        if (status === "SUBSCRIBED") return resolve();
        void this.#channelEnded(error);
      });
    });
  }

  /** Realtime may close the channel on token expiry just before our timer. */
  async #channelEnded(reason: Error | undefined): Promise<void> {
    if (Date.now() > this.#with.sessionEndsAt - timersApartMs) return this.close(...closingOf("signed out"));
    await Promise.race([this.recheck(), new Promise((resolve) => setTimeout(resolve, recheckPatienceMs))]);
    if (/unauthorized|permission/i.test(reason?.message ?? "")) this.close(...closingOf("removed"));
    else this.close(presenceClose.restarting, "try again");
  }

  /** Idle timeout; pings also trigger the membership check. */
  #waitForWord(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.close(presenceClose.restarting, "nothing heard"), presenceSilenceMs);
  }

  async #receive(data: unknown): Promise<void> {
    if (this.#messages.take(Date.now()) > 0) return this.close(presenceClose.tooMuch, "too many messages");
    if (typeof data === "string" && data.length > presenceMessageMaxLength) return this.close(1009, "message too long");
    this.#waitForWord();
    if (Date.now() - this.#checkedAt >= recheckMs) void this.recheck();
    const message = clientMessage.safeParse(parseJson(data));
    if (!message.success) return this.#with.warn("unknown presence message");
    if (message.data.type === "ping") return this.#send({ type: "pong" });
    if (message.data.type === "editing-state") return this.#setDoing(doingIn(message.data, this.#mayWrite));
    await this.#join();
  }

  /** The identity comes from session and profile, not from the message. */
  async #join(): Promise<void> {
    const [person] = await Promise.all([this.#with.readPerson(), this.#joined]);
    if (this.#with.socket.readyState !== WebSocket.OPEN) return;
    this.#person = person;
    this.#track();
    if (this.#doing.isTyping) this.#saySoon();
    this.#tell(true);
  }

  async recheck(): Promise<void> {
    this.#checkedAt = Date.now();
    const membership = await this.#with.standing();
    if (membership === "removed" || membership === "signed out") return this.close(...closingOf(membership));
    this.#mayWrite = membership === "member";
    if (!this.#mayWrite) this.#setDoing({ ...idle, isEditing: this.#doing.isEditing });
  }

  #setDoing(doing: Doing): void {
    const before = this.#doing;
    const isSame = doing.isEditing === before.isEditing && doing.blockId === before.blockId && doing.isTyping === before.isTyping;
    if (isSame && !doing.isTyping) return; // typing is repeated as a heartbeat
    this.#doing = doing;
    if (!this.#person) return;
    if (doing.isEditing === before.isEditing) return this.#saySoon();
    this.#say();
    this.#track();
  }

  #track(): void {
    clearTimeout(this.#trackTimer);
    if (!this.#person) return;
    const wait = this.#tracks.take(Date.now());
    if (wait > 0) {
      this.#trackTimer = setTimeout(() => this.#track(), wait);
      return;
    }
    this.#tracked = this.#doing;
    const state: Tracked = { userId: this.#with.userId, ...this.#person, isEditing: this.#doing.isEditing, blockId: this.#doing.blockId };
    const { tab, seal, channel, sessionEndsAt } = this.#with;
    this.#inTurn(async () => void channel.track({ sealed: await seal.closeTracked(tab, state, sessionEndsAt) }));
  }

  /** New tabs only see tracked state, so the latest is repeated. */
  #welcome(tab: string): void {
    const { isEditing, blockId, isTyping } = this.#doing;
    const isUntold = isEditing !== this.#tracked.isEditing || blockId !== this.#tracked.blockId || isTyping;
    if (tab !== this.#with.tab && this.#person && isUntold) this.#saySoon();
  }

  /** Now, or after the throttle. */
  #saySoon(): void {
    const gap = Math.max(placeGapMs, placeGapPerTabMs * this.#roster.size);
    const wait = this.#saidAt + gap - Date.now();
    if (wait <= 0) return this.#say();
    this.#sayTimer ??= setTimeout(() => this.#say(), wait);
  }

  #say(): void {
    clearTimeout(this.#sayTimer);
    this.#sayTimer = undefined;
    this.#saidAt = Math.max(Date.now(), this.#saidAt + 1); // strictly increasing timestamps
    const editing = { tab: this.#with.tab, ...this.#doing, isLeaving: false, at: this.#saidAt };
    this.#inTurn(() => this.#broadcast(editing));
  }

  async #broadcast(editing: Editing): Promise<void> {
    const { seal, channel, sessionEndsAt } = this.#with;
    const sealed = await seal.closeEditing(editing, sessionEndsAt);
    void channel.send({ type: "broadcast", event: "editing", payload: { sealed } });
  }

  async #hearEditing(sealed: unknown): Promise<void> {
    const editing = await this.#with.seal.openEditing(sealed);
    if (!editing) return;
    const now = Date.now();
    if (editing.isLeaving ? this.#roster.leave(editing.tab) : this.#roster.setDoing(editing.tab, editing, editing.at, now))
      return this.#tell();
    const wait = this.#toldAt + presenceTellGapMs - now;
    if (wait <= 0) return this.#tell();
    this.#tellTimer ??= setTimeout(() => this.#tell(), wait);
  }

  #syncSoon(): void {
    if (this.#syncs) return;
    this.#syncs = true;
    this.#inTurn(() => {
      this.#syncs = false;
      return this.#sync();
    });
  }

  async #sync(): Promise<void> {
    const tabs = Object.entries(this.#with.channel.presenceState());
    const people = await Promise.all(tabs.map(async ([tab, metas]) => [tab, await this.#personAt(tab, metas)] as const));
    this.#roster.sync(Object.fromEntries(people), Date.now());
    this.#tell();
  }

  async #personAt(tab: string, states: readonly unknown[]): Promise<Tracked | undefined> {
    for (const one of states.toReversed()) {
      const person = await this.#with.seal.openTracked(tab, sealedIn(one));
      if (person) return person;
    }
    return undefined;
  }

  /** Serialises encryption, to keep the order. */
  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(() => (this.#left ? undefined : work())).catch((error: unknown) => this.#with.warn(String(error)));
  }

  /** Only changes, unless `always`. */
  #tell(always = false): void {
    clearTimeout(this.#changeTimer);
    clearTimeout(this.#tellTimer);
    this.#tellTimer = undefined;
    const now = (this.#toldAt = Date.now());
    const update: ServerMessage = { type: "presence-update", participants: this.#roster.participants(now) };
    const next = this.#roster.nextChange(now);
    if (next !== undefined) this.#changeTimer = setTimeout(() => this.#tell(), next - now + 1);
    const text = JSON.stringify(update);
    if (!this.#person || (text === this.#lastUpdate && !always)) return;
    this.#lastUpdate = text;
    this.#send(update);
  }

  #send(message: ServerMessage): void {
    if (this.#with.socket.readyState === WebSocket.OPEN) this.#with.socket.send(JSON.stringify(message));
  }

  #leave(code: number): void {
    const timers = [this.#trackTimer, this.#sayTimer, this.#tellTimer, this.#changeTimer, this.#sessionTimer, this.#silenceTimer];
    for (const timer of timers) clearTimeout(timer);
    const isDeliberate = this.#person !== null && deliberateCloses.includes(code);
    this.#left = true;
    this.#person = null;
    void (isDeliberate ? this.#sayLeaving() : Promise.resolve()).finally(() => this.#with.closeChannel());
  }

  async #sayLeaving(): Promise<void> {
    const { tab, warn } = this.#with;
    const editing = { tab, ...idle, isLeaving: true, at: Math.max(Date.now(), this.#saidAt + 1) };
    await this.#broadcast(editing).catch((error: unknown) => warn(String(error)));
  }
}

function doingIn({ isEditing, blockId = null, isTyping = false }: { isEditing: boolean } & Partial<Doing>, mayWrite: boolean): Doing {
  const place = isEditing && mayWrite ? blockId : null;
  return { isEditing, blockId: place, isTyping: isTyping && place !== null };
}

const sealedIn = (message: unknown): unknown => (message as { sealed?: unknown } | null | undefined)?.sealed;

function parseJson(data: unknown): unknown {
  try {
    return typeof data === "string" ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
