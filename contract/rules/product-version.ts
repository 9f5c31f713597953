import { versionMaxLength } from "../limits.ts";

interface ProductVersion {
  numbers: number[];
  /** Identifiers after the hyphen, such as `rc.1`; none for a release. */
  before: string[];
}

const versionShape = /^(\d{1,15}(?:\.\d{1,15}){0,3})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** A semantic (1.12.0-rc.1) or calendar version (2026.11) of up to four numbers; null for other texts. */
export function parseVersion(text: string): ProductVersion | null {
  const [, numbers, before] = versionShape.exec(text) ?? [];
  return numbers === undefined ? null : { numbers: numbers.split(".").map(Number), before: before?.split(".") ?? [] };
}

/** As typed, without a leading `v`; null if it isn't a version. */
export function readVersion(typed: string | null): string | null {
  const text = withoutV(typed ?? "");
  return text.length <= versionMaxLength && parseVersion(text) !== null ? text : null;
}

export const withoutV = (text: string): string => text.trim().replace(/^v(?=\d)/i, "");

/** Negative if `one` is older. As semver.org orders valid versions; missing numbers count as 0. Neither may be invalid. */
export function compareProductVersions(one: string, other: string): number {
  const [a, b] = [parseVersion(one)!, parseVersion(other)!];
  for (let place = 0; place < 4; place++) {
    const difference = (a.numbers[place] ?? 0) - (b.numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length;
  for (const [place, mine] of a.before.entries()) {
    const theirs = b.before[place];
    const difference = theirs === undefined ? 1 : compareIdentifiers(mine, theirs);
    if (difference !== 0) return difference;
  }
  return a.before.length - b.before.length;
}

/** Numbers sort by value and before words, words by character code. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : Number(one > other);
}
