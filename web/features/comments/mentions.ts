export interface Nameable {
  user_id: string;
  full_name: string;
}

/** The name being typed after an @ at the caret and the @'s index, or null. */
export function mentionAt(text: string, caret: number): { from: number; typed: string } | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf("@");
  if (from < 0 || /[\p{L}\p{N}]/u.test(before.charAt(from - 1))) return null; // an email address
  const typed = before.slice(from + 1);
  return /^[^\n@]{0,40}$/u.test(typed) && !/^\s|\s\s/.test(typed) ? { from, typed } : null;
}

export function namesLike<Person extends Nameable>(people: readonly Person[], typed: string): Person[] {
  const prefix = typed.toLocaleLowerCase();
  const matches = ({ full_name }: Person): boolean => {
    const name = full_name.toLocaleLowerCase();
    return name !== prefix.trimEnd() && (name.startsWith(prefix) || name.split(/\s+/).some((word) => word.startsWith(prefix)));
  };
  return people.filter((person) => person.full_name.trim() !== "" && matches(person)).slice(0, 6);
}

export interface Piece {
  text: string;
  names: boolean;
}

/** Splits a comment at its mentions. The longest matching name wins. */
export function piecesOf(text: string, names: readonly string[]): Piece[] {
  const unique = [...new Set(names)].filter((name) => name.trim() !== "").toSorted((a, b) => b.length - a.length);
  if (unique.length === 0) return [{ text, names: false }];
  const mention = new RegExp(`(@(?:${unique.map(escaped).join("|")}))(?![\\p{L}\\p{N}])`, "u");
  return text
    .split(mention)
    .map((piece, place) => ({ text: piece, names: place % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

/** Regular expression escape. Other characters stay as they are: the `u` flag rejects needless escapes. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

export function mentionsIn(text: string, people: readonly Nameable[]): string[] {
  const mentioned = new Set(
    piecesOf(
      text,
      people.map(({ full_name }) => full_name),
    ).flatMap(({ text, names }) => (names ? [text.slice(1)] : [])),
  );
  return people.filter(({ full_name }) => mentioned.has(full_name)).map(({ user_id }) => user_id);
}
