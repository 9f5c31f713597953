import { z } from "zod";
import { participantColour, type Participant } from "#contract/presence.ts";

/** Who is at a post by one tab. */
export const tracked = z.object({ userId: z.string(), fullName: z.string(), avatarUrl: z.string().nullable(), isEditing: z.boolean() });
export type Tracked = z.infer<typeof tracked>;

/** Who else is at a post, as one tab sees it: tabs become people, and a person whose connection broke stays for a moment. */
export class Roster {
  readonly #self: string;
  readonly #graceMs: number;
  #tabs = new Map<string, Tracked>();
  /** Newer than what is tracked, because tracking is rationed. */
  readonly #editing = new Map<string, { isEditing: boolean; at: number }>();
  readonly #missing = new Map<string, { person: Tracked; until: number }>();

  constructor(self: string, graceMs: number) {
    this.#self = self;
    this.#graceMs = graceMs;
  }

  /** Takes the channel's whole presence state, by tab; undefined is a tab of nobody. */
  sync(state: Readonly<Record<string, Tracked | undefined>>, now: number): void {
    const before = this.#tabs;
    this.#tabs = new Map(Object.entries(state).filter((entry): entry is [string, Tracked] => entry[1] !== undefined));
    for (const tab of this.#editing.keys()) if (!this.#tabs.has(tab)) this.#editing.delete(tab);
    for (const [tab, person] of before) if (!this.#tabs.has(tab)) this.#drop(tab, person, now);
    for (const { userId } of this.#tabs.values()) this.#missing.delete(userId);
  }

  /** Of a tab that is here: the rest names nobody and would only take up room. `at`, milliseconds since 1970: the latest counts. */
  setEditing(tab: string, isEditing: boolean, at: number): void {
    if (this.#tabs.has(tab) && at >= (this.#editing.get(tab)?.at ?? 0)) this.#editing.set(tab, { isEditing, at });
  }

  /** Everybody but oneself, in an order that does not jump. */
  participants(now: number): Participant[] {
    const people = new Map<string, Participant>();
    for (const [tab, person] of this.#tabs) {
      const isEditing = this.#editing.get(tab)?.isEditing ?? person.isEditing;
      people.set(person.userId, present(person, isEditing || (people.get(person.userId)?.isEditing ?? false)));
    }
    for (const [userId, { person, until }] of this.#missing) {
      if (until > now) people.set(userId, present(person, false));
      else this.#missing.delete(userId);
    }
    people.delete(this.#self);
    return [...people.values()].sort((one, other) => (one.userId < other.userId ? -1 : 1));
  }

  /** When the next missing person has to go, in milliseconds since 1970; undefined when nobody is missing. */
  nextDeparture(): number | undefined {
    const times = [...this.#missing.values()].map(({ until }) => until);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #drop(tab: string, person: Tracked, now: number): void {
    this.#editing.delete(tab);
    this.#missing.set(person.userId, { person, until: now + this.#graceMs });
  }
}

function present({ userId, fullName, avatarUrl }: Tracked, isEditing: boolean): Participant {
  return { userId, fullName, avatarUrl, isEditing, colour: participantColour(userId) };
}
