import { z } from "zod";
import { blockId } from "#contract/blocks/limits.ts";
import { participantColour, presenceTypingStaleMs, type Participant } from "#contract/presence.ts";

export const tracked = z.object({
  userId: z.string(),
  fullName: z.string(),
  avatarUrl: z.string().nullable(),
  isEditing: z.boolean(),
  blockId: z.string().regex(blockId).nullish(),
});
export type Tracked = z.infer<typeof tracked>;

export interface Doing {
  isEditing: boolean;
  blockId: string | null;
  isTyping: boolean;
}
export const idle: Doing = { isEditing: false, blockId: null, isTyping: false };

interface Heard extends Doing {
  /** Sender's clock; the latest wins. */
  at: number;
  /** Expiry of typing by our clock. */
  typesUntil: number;
}

export class Roster {
  readonly #self: string;
  readonly #graceMs: number;
  #tabs = new Map<string, Tracked>();
  /** Broadcasts are newer than tracked state, which is rate limited. */
  readonly #doing = new Map<string, Heard>();
  readonly #missing = new Map<string, { person: Tracked; until: number }>();
  /** Tabs closed deliberately that the channel may still list. */
  readonly #left = new Set<string>();

  constructor(self: string, graceMs: number) {
    this.#self = self;
    this.#graceMs = graceMs;
  }

  sync(state: Readonly<Record<string, Tracked | undefined>>, now: number): void {
    const before = this.#tabs;
    for (const tab of this.#left) if (!(tab in state)) this.#left.delete(tab);
    this.#tabs = new Map(Object.entries(state).filter((entry): entry is [string, Tracked] => !!entry[1] && !this.#left.has(entry[0])));
    for (const tab of this.#doing.keys()) if (!this.#tabs.has(tab)) this.#doing.delete(tab);
    for (const [tab, person] of before) if (!this.#tabs.has(tab)) this.#drop(tab, person, now);
    for (const { userId } of this.#tabs.values()) this.#missing.delete(userId);
  }

  get size(): number {
    return this.#tabs.size;
  }

  setDoing(tab: string, doing: Doing, at: number, now: number): boolean {
    const [person, before] = [this.#tabs.get(tab), this.#doing.get(tab)];
    if (!person || at <= (before?.at ?? 0)) return false;
    this.#doing.set(tab, { ...doing, at, typesUntil: now + presenceTypingStaleMs });
    return doing.isEditing !== (before ?? person).isEditing;
  }

  leave(tab: string): boolean {
    this.#doing.delete(tab);
    if (!this.#tabs.delete(tab)) return false;
    this.#left.add(tab);
    return true;
  }

  /** Stable order. A person's position is that of the tab heard last. */
  participants(now: number): Participant[] {
    const people = new Map<string, { person: Tracked; isEditing: boolean; place: Heard | undefined }>();
    for (const [tab, person] of this.#tabs) {
      const doing = this.#doing.get(tab) ?? asTracked(person);
      const listed = people.get(person.userId);
      const isEditing = doing.isEditing || (listed?.isEditing ?? false);
      const isPlace = doing.blockId !== null && doing.at >= (listed?.place?.at ?? 0);
      people.set(person.userId, { person, isEditing, place: isPlace ? doing : listed?.place });
    }
    const all = new Map([...people].map(([userId, { person, isEditing, place }]) => [userId, present(person, isEditing, place, now)]));
    for (const [userId, { person, until }] of this.#missing) {
      if (until > now) all.set(userId, present(person, false, undefined, now));
      else this.#missing.delete(userId);
    }
    all.delete(this.#self);
    return [...all.values()].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  }

  nextChange(now: number): number | undefined {
    const typing = [...this.#doing.values()].flatMap(({ isTyping, typesUntil }) => (isTyping && typesUntil > now ? typesUntil : []));
    const times = [...[...this.#missing.values()].map(({ until }) => until), ...typing];
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #drop(tab: string, person: Tracked, now: number): void {
    this.#doing.delete(tab);
    this.#missing.set(person.userId, { person, until: now + this.#graceMs });
  }
}

const asTracked = ({ isEditing, blockId = null }: Tracked): Heard => ({ isEditing, blockId, isTyping: false, at: 0, typesUntil: 0 });

function present({ userId, fullName, avatarUrl }: Tracked, isEditing: boolean, place: Heard | undefined, now: number): Participant {
  const isTyping = place !== undefined && place.isTyping && place.typesUntil > now;
  return { userId, fullName, avatarUrl, isEditing, blockId: place?.blockId ?? null, isTyping, colour: participantColour(userId) };
}
