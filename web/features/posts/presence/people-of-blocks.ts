import { participantColour, type Participant } from "#contract/presence.ts";

/** Who is in a block, as it is shown beside it. */
export interface BlockPeople {
  /** Names, those who type first. */
  label: string;
  /** One for each, as many as can be told apart. */
  colours: readonly string[];
}

const named = 2;
const coloured = 4;

/** Who is in which block, by its id. */
export function peopleOfBlocks(participants: readonly Participant[]): Map<string, BlockPeople> {
  const blocks = new Map<string, Participant[]>();
  for (const person of participants) {
    if (!person.isEditing || !person.blockId) continue;
    blocks.set(person.blockId, [...(blocks.get(person.blockId) ?? []), person]);
  }
  return new Map([...blocks].map(([id, people]) => [id, shown(people)]));
}

function shown(people: readonly Participant[]): BlockPeople {
  const ordered = people.toSorted((one, other) => Number(other.isTyping ?? false) - Number(one.isTyping ?? false));
  const more = ordered.length - named;
  const names = ordered.slice(0, named).map(({ fullName, isTyping }) => isolated(fullName) + (isTyping ? " is writing" : ""));
  return {
    label: names.join(", ") + (more > 0 ? ` +${more}` : ""),
    colours: ordered.slice(0, coloured).map(({ colour, userId }) => colour ?? participantColour(userId)),
  };
}

/** Who types in a block. */
export const typingIn = (participants: readonly Participant[], blockId: string): Participant[] =>
  participants.filter((person) => person.isEditing && person.isTyping && person.blockId === blockId);

/** What a screen reader is told of the others in one's own block. */
export function saidOfBlock(participants: readonly Participant[], blockId: string | null): string {
  const here = participants.filter((person) => person.isEditing && blockId !== null && person.blockId === blockId);
  return here.map(({ fullName, isTyping }) => `${fullName} ${isTyping ? "is writing" : "is"} in this block`).join(". ");
}

/** A name in letters from right to left turns round nothing beside it. */
const isolated = (name: string): string => `\u2068${name}\u2069`;
