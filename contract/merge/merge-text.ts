import { cleanInline } from "../blocks/inline-html.ts";
import { append, diff, type Hunk } from "./diff.ts";

const inlinePieces =
  /<[^<>]*>|&(?:[a-z][a-z\d]*|#\d+|#x[\da-f]+);|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}_]\p{M}*)+|\s+|\S(?:[\p{M}\p{Emoji_Modifier}]|\u200d\S)*/giu;
const textPieces = /[\p{L}\p{N}_]+|\n|[^\S\n]+|\S(?:[\p{M}\p{Emoji_Modifier}]|\u200d\S)*/gu;

export const piecesOfInline = (html: string): string[] => html.match(inlinePieces) ?? [];
export const piecesOfText = (text: string): string[] => text.match(textPieces) ?? [];

export const isWord = (piece: string): boolean => /^[\p{L}\p{N}]/u.test(piece);

export const mostPieces = 500;

/** Changes of one side with fewer words between them count as one, so the other side's text doesn't end up inside a rewritten sentence. */
const together = 3;

const isSame = (one: Hunk, mine: readonly string[], other: Hunk, theirs: readonly string[]): boolean =>
  one.from === other.from &&
  one.to === other.to &&
  one.end - one.start === other.end - other.start &&
  mine.slice(one.start, one.end).every((piece, index) => piece === theirs[other.start + index]);

interface Change extends Hunk {
  side: "mine" | "theirs" | "both";
}

/** Both sides' changes in base order, equal ones once; null on overlap. */
function changesOf(base: readonly string[], mine: readonly string[], theirs: readonly string[]): Change[] | null {
  const [ours, others] = [diff(base, mine, mostPieces), diff(base, theirs, mostPieces)];
  if (ours === null || others === null) return null;
  const alike = new Set<Hunk>();
  const changes: Change[] = [];
  for (const hunk of ours) {
    const other = others.find((candidate) => isSame(hunk, mine, candidate, theirs));
    if (other) alike.add(other);
    changes.push({ ...hunk, side: other ? "both" : "mine" });
  }
  for (const hunk of others) if (!alike.has(hunk)) changes.push({ ...hunk, side: "theirs" });
  if (isTwice(changes, base, mine, theirs)) return null;
  changes.sort((one, other) => one.from - other.from || one.to - other.to);
  return meet(changes, base) ? null : changes;
}

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

/** True if both added the same words in different places, e.g. by moving a sentence. */
function isTwice(changes: readonly Change[], base: readonly string[], mine: readonly string[], theirs: readonly string[]): boolean {
  const baseWords = new Set(base);
  const brought = (side: Change["side"], pieces: readonly string[]): string[] =>
    changes
      .filter((change) => change.side === side)
      .flatMap(({ start, end }) => {
        const words = pieces.slice(start, end).filter(isWord);
        return [...words.filter((word) => !baseWords.has(word)), ...(words.length >= together ? [words.join(" ")] : [])];
      });
  const others = new Set(brought("theirs", theirs));
  return brought("mine", mine).some((words) => others.has(words));
}

const wordsIn = (pieces: readonly string[], from: number, to: number): number => pieces.slice(from, to).filter(isWord).length;

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

function mergeAs(pieces: (text: string) => string[]) {
  return (base: string, mine: string, theirs: string): string | null => {
    if (mine === theirs || theirs === base) return mine;
    if (mine === base) return theirs;
    return mergePieces(pieces(base), pieces(mine), pieces(theirs))?.join("") ?? null;
  };
}

export const mergeText = mergeAs(piecesOfText);
const mergeTags = mergeAs(piecesOfInline);

/** Word by word. Overlapping marks (one side's bold, the other's link) are a conflict. */
export function mergeInline(base: string, mine: string, theirs: string): string | null {
  const merged = mergeTags(base, mine, theirs);
  return merged === null || cleanInline(merged) === merged ? merged : null;
}

/** True if each word occurs as often as expected. Catches a deleted word that returns with the other side's line. */
export function hasItsWords(base: string, mine: string, theirs: string, merged: string): boolean {
  const [was, own, other, now] = [base, mine, theirs, merged].map(countWords) as [Count, Count, Count, Count];
  return [...new Set([...was.keys(), ...own.keys(), ...other.keys(), ...now.keys()])].every((word) => {
    const [before, ours, others, result] = [was, own, other, now].map((count) => count.get(word) ?? 0) as [number, number, number, number];
    return ours === before ? result === others : others === before ? result === ours : true;
  });
}

type Count = Map<string, number>;
function countWords(text: string): Count {
  const count: Count = new Map();
  for (const piece of piecesOfText(text)) if (isWord(piece)) count.set(piece, (count.get(piece) ?? 0) + 1);
  return count;
}
