import type { Claims } from "./authorize.ts";

/** What one client tracks in a channel; phx_ref tells two states of the same client apart. */
export type PresenceMeta = Record<string, unknown> & { phx_ref: string; phx_ref_prev?: string };
export type PresenceState = Record<string, { metas: PresenceMeta[] }>;

/** One client's membership in one channel. */
export interface Member {
  /** With the prefix "realtime:". */
  topic: string;
  isPrivate: boolean;
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
}

/** Who is in which channel. A private and a public channel of the same name are two channels. */
export class Hub {
  readonly #channels = new Map<string, Set<Member>>();

  add(member: Member): void {
    const key = keyOf(member);
    const members = this.#channels.get(key) ?? new Set();
    this.#channels.set(key, members.add(member));
  }

  remove(member: Member): void {
    const members = this.#membersOf(member);
    members.delete(member);
    if (members.size === 0) this.#channels.delete(keyOf(member));
    this.setPresence(member, undefined);
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

  broadcast(channel: Pick<Member, "topic" | "isPrivate">, event: string, payload: unknown, sender?: Member): void {
    for (const member of this.#membersOf(channel)) if (member !== sender || member.hearsItself) member.deliverBroadcast(event, payload);
  }

  #membersOf(channel: Pick<Member, "topic" | "isPrivate">): Set<Member> {
    return this.#channels.get(keyOf(channel)) ?? new Set();
  }
}

const keyOf = ({ topic, isPrivate }: Pick<Member, "topic" | "isPrivate">): string => `${isPrivate ? "private" : "public"} ${topic}`;

const asState = (key: string, meta: PresenceMeta | undefined): PresenceState => (meta ? { [key]: { metas: [meta] } } : {});
