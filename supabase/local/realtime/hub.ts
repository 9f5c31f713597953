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
  deliverPresence(difference: { joins: PresenceState; leaves: PresenceState }): void;
  deliverBroadcast(event: string, payload: unknown): void;
  /** Asks the policies again; who may not listen any more is out. */
  askAgain(): Promise<void>;
}

/** Who is in which channel. */
export class Hub {
  readonly #channels = new Map<string, Set<Member>>();

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

  presenceState(channel: Member): PresenceState {
    const state: PresenceState = {};
    for (const { presenceKey, meta } of this.#membersOf(channel)) if (meta) (state[presenceKey] ??= { metas: [] }).metas.push(meta);
    return state;
  }

  /** Replaces what a member tracks and tells everybody who listens. */
  setPresence(member: Member, meta: PresenceMeta | undefined): void {
    const before = member.meta;
    if (!before && !meta) return;
    member.meta = meta;
    const difference = { joins: asState(member.presenceKey, meta), leaves: asState(member.presenceKey, before) };
    for (const other of this.#membersOf(member)) if (other.wantsPresence) other.deliverPresence(difference);
  }

  broadcast(channel: Pick<Member, "topic">, event: string, payload: unknown, sender?: Member): void {
    for (const member of this.#membersOf(channel)) if (member !== sender || member.hearsItself) member.deliverBroadcast(event, payload);
  }

  /** Asks again about every channel of a person. */
  async askAgain(person: string): Promise<void> {
    const theirs = [...this.#channels.values()].flatMap((members) => [...members]).filter(({ claims }) => claims.sub === person);
    await Promise.all(theirs.map((member) => member.askAgain()));
  }

  #membersOf(channel: Pick<Member, "topic">): Set<Member> {
    return this.#channels.get(channel.topic) ?? new Set();
  }
}

const asState = (key: string, meta: PresenceMeta | undefined): PresenceState => (meta ? { [key]: { metas: [meta] } } : {});
