/** Somebody who can be named in a comment. */
export interface Nameable {
  user_id: string;
  full_name: string;
}

/** The name that is being typed behind an @ at the caret, and where that stands; null where none is. */
export function mentionAt(text: string, caret: number): { from: number; typed: string } | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf("@");
  if (from < 0 || /[\p{L}\p{N}]/u.test(before.charAt(from - 1))) return null; // an address of a mail
  const typed = before.slice(from + 1);
  return /^[^\n@]{0,40}$/u.test(typed) && !/^\s|\s\s/.test(typed) ? { from, typed } : null;
}

/** Those whose name, or a word of it, begins as it was typed; at most six. */
export function namesLike<Person extends Nameable>(people: readonly Person[], typed: string): Person[] {
  const wanted = typed.toLocaleLowerCase();
  const fits = ({ full_name }: Person): boolean => {
    const name = full_name.toLocaleLowerCase();
    return name !== wanted.trimEnd() && (name.startsWith(wanted) || name.split(/\s+/).some((word) => word.startsWith(wanted)));
  };
  return people.filter((person) => person.full_name.trim() !== "" && fits(person)).slice(0, 6);
}

/** A piece of a comment, and whether it names somebody. */
export interface Piece {
  text: string;
  names: boolean;
}

/** A comment in pieces. Of two names of which one begins as the other does, the longer one is meant. */
export function piecesOf(text: string, names: readonly string[]): Piece[] {
  const known = [...new Set(names)].filter((name) => name.trim() !== "").toSorted((a, b) => b.length - a.length);
  if (known.length === 0) return [{ text, names: false }];
  const any = new RegExp(`(@(?:${known.map(escaped).join("|")}))(?![\\p{L}\\p{N}])`, "u");
  return text
    .split(any)
    .map((piece, place) => ({ text: piece, names: place % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

/** What means something in an expression of that kind, and no more: it takes no other sign with a stroke before it. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Ids of those whom a text names. */
export function mentionsIn(text: string, people: readonly Nameable[]): string[] {
  const named = new Set(
    piecesOf(
      text,
      people.map(({ full_name }) => full_name),
    ).flatMap(({ text, names }) => (names ? [text.slice(1)] : [])),
  );
  return people.filter(({ full_name }) => named.has(full_name)).map(({ user_id }) => user_id);
}
