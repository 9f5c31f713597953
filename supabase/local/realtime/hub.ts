import type { Claims } from "./authorize.ts";

/** What one client tracks in a channel; phx_ref tells two states of the same client apart. */
export type PresenceMeta = Record<string, unknown> & { phx_ref: string; phx_ref_prev?: string };
export type PresenceState = Record<string, { metas: PresenceMeta[] }>;

/** One client's membership in one channel. */
export interface Member {
  /** With the prefix "realtime:". */
  topic: string;
  joinRef: string | null;
  claims: Claims;
  presenceKey: string;
  wantsPresence: boolean;
  /** The client hears its own broadcasts. */
  hearsItself: boolean;
  /** The client wants each broadcast acknowledged. */
  acknowledges: boolean;
  meta?: PresenceMeta | undefined;
  /** What it tracks, as JSON. */
  tracked?: string | undefined;
  deliverPresence(difference: { joins: PresenceState; leaves: PresenceState }): void;
  deliverBroadcast(event: string, payload: unknown): void;
  /** Asks the policies again; who may not listen any more is out. Never rejects. */
  askAgain(): Promise<void>;
  /** Ends the connection, whose client may come back. */
  disconnect(): void;
}

/** Of one person's channels: what waits until it is answered, and whether it is to be asked once more then. */
interface Check {
  held: { member: Member; tell: () => void }[];
  isDue: boolean;
}

/** So much waits for one person, over all channels and tabs. Whoever misses more comes back and asks for what is new. */
const mostHeld = 10_000;

/** Who is in which channel. */
export class Hub {
  readonly #channels = new Map<string, Set<Member>>();
  /** By person. */
  readonly #checks = new Map<string, Check>();

  add(member: Member): void {
    this.#channels.set(member.topic, this.#membersOf(member).add(member));
  }

  remove(member: Member): void {
    const members = this.#membersOf(member);
    members.delete(member);
    if (members.size === 0) this.#channels.delete(member.topic);
    this.setPresence(member, undefined);
  }

  sizeOf(channel: Pick<Member, "topic">): number {
    return this.#membersOf(channel).size;
  }

  presenceState(channel: Pick<Member, "topic">): PresenceState {
    const state = Object.create(null) as PresenceState; // a key may be "constructor"
    for (const { presenceKey, meta } of this.#membersOf(channel)) if (meta) (state[presenceKey] ??= { metas: [] }).metas.push(meta);
    return state;
  }

  /** Characters of what is tracked in a channel. */
  lengthOfState(channel: Pick<Member, "topic">): number {
    return [...this.#membersOf(channel)].reduce((length, { tracked = "" }) => length + tracked.length, 0);
  }

  /** Replaces what a member tracks, `tracked` as JSON, and tells everybody who listens. */
  setPresence(member: Member, meta: PresenceMeta | undefined, tracked?: string): void {
    const before = member.meta;
    member.tracked = tracked;
    if (!before && !meta) return;
    member.meta = meta;
    const difference = { joins: asState(member.presenceKey, meta), leaves: asState(member.presenceKey, before) };
    for (const other of this.#membersOf(member)) if (other.wantsPresence) this.#tell(other, () => other.deliverPresence(difference));
  }

  broadcast(channel: Pick<Member, "topic">, event: string, payload: unknown, sender?: Member): void {
    for (const member of this.#membersOf(channel))
      if (member !== sender || member.hearsItself) this.#tell(member, () => member.deliverBroadcast(event, payload));
  }

  /**
   * Asks again about every channel of a person, who hears what is sent meanwhile afterwards, or never. Nobody waits for it, and of one person one is
   * under way: what is asked for meanwhile is asked once more.
   */
  askAgain(person: string): void {
    const check = this.#checks.get(person);
    if (check) check.isDue = true;
    else void this.#check(person);
  }

  async #check(person: string): Promise<void> {
    const check: Check = { held: [], isDue: true };
    this.#checks.set(person, check);
    while (check.isDue) {
      check.isDue = false;
      await Promise.all(this.#membershipsOf(person).map((member) => member.askAgain()));
    }
    this.#checks.delete(person);
    for (const { member, tell } of check.held) if (this.#membersOf(member).has(member)) this.#tell(member, tell);
  }

  #membershipsOf(person: string): Member[] {
    const theirs: Member[] = [];
    for (const members of this.#channels.values()) for (const member of members) if (member.claims.sub === person) theirs.push(member);
    return theirs;
  }

  /** One member's fault is not the others'. */
  #tell(member: Member, tell: () => void): void {
    const held = this.#checks.get(member.claims.sub ?? "")?.held;
    if (held && held.length >= mostHeld) return member.disconnect();
    if (held) return void held.push({ member, tell });
    try {
      tell();
    } catch (error) {
      console.error("realtime:", error);
    }
  }

  #membersOf(channel: Pick<Member, "topic">): Set<Member> {
    return this.#channels.get(channel.topic) ?? new Set();
  }
}

const asState = (key: string, meta: PresenceMeta | undefined): PresenceState => (meta ? { [key]: { metas: [meta] } } : {});
