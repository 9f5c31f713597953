import type { Claims } from "./authorize.ts";

export type PresenceMeta = Record<string, unknown> & { phx_ref: string; phx_ref_prev?: string };
export type PresenceState = Record<string, { metas: PresenceMeta[] }>;

export interface Member {
  topic: string;
  joinRef: string | null;
  claims: Claims;
  presenceKey: string;
  wantsPresence: boolean;
  hearsItself: boolean;
  acknowledges: boolean;
  meta?: PresenceMeta | undefined;
  tracked?: string | undefined;
  deliverPresence(difference: { joins: PresenceState; leaves: PresenceState }): void;
  deliverBroadcast(event: string, payload: unknown): void;
  /** Rechecks the policies and removes members without access. Never rejects. */
  askAgain(): Promise<void>;
  disconnect(): void;
}

/** A pending policy check of one person: the buffered messages, and whether to check again. */
interface Check {
  held: { member: Member; tell: () => void }[];
  isDue: boolean;
}

/** Messages buffered per person during a check. Clients that exceed it are disconnected and catch up. */
const mostHeld = 10_000;

export class Hub {
  readonly #channels = new Map<string, Set<Member>>();
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
    const state = Object.create(null) as PresenceState; // keys may be "constructor"
    for (const { presenceKey, meta } of this.#membersOf(channel)) if (meta) (state[presenceKey] ??= { metas: [] }).metas.push(meta);
    return state;
  }

  lengthOfState(channel: Pick<Member, "topic">): number {
    return [...this.#membersOf(channel)].reduce((length, { tracked = "" }) => length + tracked.length, 0);
  }

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

  /** Rechecks all channels of a person in the background and buffers their messages meanwhile. One check runs at a time per person. */
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
