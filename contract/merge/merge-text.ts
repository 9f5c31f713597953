import { cleanInline } from "../blocks/inline-html.ts";
import { append, diff, type Hunk } from "./diff.ts";

/**
 * Pieces of inline HTML: a tag, a character reference, a word, a run of blanks, or one sign. Scripts that put no blanks between words are
 * taken sign by sign.
 */
const inlinePieces =
  /<[^<>]*>|&(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}_]\p{M}*)+|\s+|\S(?:[\p{M}\p{Emoji_Modifier}]|\u200d\S)*/giu;
const textPieces = /[\p{L}\p{N}_]+|\n|[^\S\n]+|\S(?:[\p{M}\p{Emoji_Modifier}]|\u200d\S)*/gu;

export const piecesOfInline = (html: string): string[] => html.match(inlinePieces) ?? [];
export const piecesOfText = (text: string): string[] => text.match(textPieces) ?? [];

/** Pieces that say something: not blanks, tags or signs. */
export const isWord = (piece: string): boolean => /^[\p{L}\p{N}]/u.test(piece);

/** Pieces of a text that may differ before it counts as another text, and a person decides. */
export const mostPieces = 500;

/** Words of a side between two of its changes that make of them a change of one whole: what another wrote in between would stand in a torn sentence. */
const together = 3;

const isSame = (one: Hunk, mine: readonly string[], other: Hunk, theirs: readonly string[]): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.end - one.start === other.end - other.start &&
  mine.slice(one.start, one.end).every((piece, index) => piece === theirs[other.start + index]);

interface Change extends Hunk {
  side: "mine" | "theirs" | "both";
}

/** Both sides' changes by their place in the base, what both did alike once; null when two of them meet. */
function changesOf(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Change[] | null {
  const [ours, others] = [diff(base, mine, mostPieces), diff(base, theirs, mostPieces)];
  if (ours === null || others === null) return null;
  const alike = new Set<Hunk>();
  const changes: Change[] = [];
  for (const hunk of ours) {
    const other = others.find((one) => isSame(hunk, mine, one, theirs));
    if (other) alike.add(other);
    changes.push({ ...hunk, side: other ? "both" : "mine" });
  }
  for (const hunk of others) if (!alike.has(hunk)) changes.push({ ...hunk, side: "theirs" });
  if (isTwice(changes, base, mine, theirs)) return null;
  changes.sort((one, other) => one.from - other.from || one.to - other.to);
  return meet(changes, base) ? null : changes;
}

/** Whether two changes touch, no word between them, or one stands within what the other side wrote as one whole. */
function meet(changes: readonly Change[], base: readonly string[]): boolean {
  const last: Partial<Record<Change["side"], number>> = {};
  for (const [index, change] of changes.entries()) {
    const before = changes[index - 1];
    if (before && before.side !== change.side && wordsIn(base, before.to, change.from) === 0) return true;
    const own = last[change.side];
    const others = last[change.side === "mine" ? "theirs" : "mine"];
    if (change.side !== "both" && own !== undefined && others !== undefined && others > own) {
      if (wordsIn(base, changes[own]!.to, change.from) <= together) return true;
    }
    last[change.side] = index;
  }
  return false;
}

/** Whether both brought the same words, to different places: new ones, or some that were elsewhere, as who moves a sentence does. */
function isTwice(changes: readonly Change[], base: readonly string[], mine: readonly string[], theirs: readonly string[]): boolean {
  const known = new Set(base);
  const brought = (side: Change["side"], pieces: readonly string[]): string[] =>
    changes
      .filter((one) => one.side === side)
      .flatMap(({ start, end }) => {
        const words = pieces.slice(start, end).filter(isWord);
        return [...words.filter((word) => !known.has(word)), ...(words.length >= together ? [words.join(" ")] : [])];
      });
  const others = new Set(brought("theirs", theirs));
  return brought("mine", mine).some((words) => others.has(words));
}

const wordsIn = (pieces: readonly string[], from: number, to: number): number => pieces.slice(from, to).filter(isWord).length;

/** What both sides made of a sequence of pieces; null when they changed the same place. */
function mergePieces(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] | null {
  const changes = changesOf(base, mine, theirs);
  if (changes === null) return null;
  const merged: string[] = [];
  let at = 0;
  for (const { from, to, start, end, side } of changes) {
    append(merged, base, at, from);
    append(merged, side === "theirs" ? theirs : mine, start, end);
    at = to;
  }
  append(merged, base, at);
  return merged;
}

/** The same of anything with pieces: what one side left alone is the other's. */
function mergeAs(pieces: (text: string) => string[]) {
  return (base: string, mine: string, theirs: string): string | null => {
    if (mine === theirs || theirs === base) return mine;
    if (mine === base) return theirs;
    return mergePieces(pieces(base), pieces(mine), pieces(theirs))?.join("") ?? null;
  };
}

export const mergeText = mergeAs(piecesOfText);
const mergeTags = mergeAs(piecesOfInline);

/** Inline HTML word by word. Marks that would overlap (one side's bold, the other's link) are for a person to decide. */
export function mergeInline(base: string, mine: string, theirs: string): string | null {
  const merged = mergeTags(base, mine, theirs);
  return merged === null || cleanInline(merged) === merged ? merged : null;
}

/**
 * Whether what was merged has of each word as many as it has to: where only one side has more or less of it than there were, as many as that
 * side. A word that one side took away and that came back with another one's line is for a person to decide.
 */
export function hasItsWords(base: string, mine: string, theirs: string, merged: string): boolean {
  const [was, own, other, now] = [base, mine, theirs, merged].map(countWords) as [Count, Count, Count, Count];
  return [...new Set([...was.keys(), ...own.keys(), ...other.keys(), ...now.keys()])].every((word) => {
    const [before, ours, others, there] = [was, own, other, now].map((count) => count.get(word) ?? 0) as [number, number, number, number];
    return ours === before ? there === others : others === before ? there === ours : true;
  });
}

type Count = Map<string, number>;
function countWords(text: string): Count {
  const count: Count = new Map();
  for (const piece of piecesOfText(text)) if (isWord(piece)) count.set(piece, (count.get(piece) ?? 0) + 1);
  return count;
}
