import { participantColour, type Participant } from "#contract/presence.ts";

export interface BlockPeople {
  label: string;
  colours: readonly string[];
}

const maxNames = 2;
const maxColours = 4;

export function peopleOfBlocks(participants: readonly Participant[]): Map<string, BlockPeople> {
  const blocks = new Map<string, Participant[]>();
  for (const person of participants) {
    if (!person.isEditing || !person.blockId) continue;
    blocks.set(person.blockId, [...(blocks.get(person.blockId) ?? []), person]);
  }
  return new Map([...blocks].map(([id, people]) => [id, toBlockPeople(people)]));
}

function toBlockPeople(people: readonly Participant[]): BlockPeople {
  const ordered = people.toSorted((one, other) => Number(other.isTyping ?? false) - Number(one.isTyping ?? false));
  const more = ordered.length - maxNames;
  const names = ordered.slice(0, maxNames).map(({ fullName, isTyping }) => isolated(fullName) + (isTyping ? " is writing" : ""));
  return {
    label: names.join(", ") + (more > 0 ? ` +${more}` : ""),
    colours: ordered.slice(0, maxColours).map(({ colour, userId }) => colour ?? participantColour(userId)),
  };
}

export const typingIn = (participants: readonly Participant[], blockId: string): Participant[] =>
  participants.filter((person) => person.isEditing && person.isTyping && person.blockId === blockId);

export function describeOthers(participants: readonly Participant[], blockId: string | null): string {
  const here = participants.filter((person) => person.isEditing && blockId !== null && person.blockId === blockId);
  return here.map(({ fullName, isTyping }) => `${fullName} ${isTyping ? "is writing" : "is"} in this block`).join(". ");
}

/** Unicode isolation: a right-to-left name doesn't reorder the text around it. */
const isolated = (name: string): string => `\u2068${name}\u2069`;
