import { type ImportEntry, ImportProblem, type ReadSource } from "./entry.ts";
import { cleanLineOf } from "./external-id.ts";
import { importMaxEntries } from "./limits.ts";
import { figure } from "../rules/figure.ts";

/** Says no to more posts than an import can have; to be asked before each of them is looked at. */
export function notTooMany(count: number): void {
  if (count > importMaxEntries) {
    throw new ImportProblem(`There are ${figure(count)} posts in it; an import can have at most ${figure(importMaxEntries)}`);
  }
}

/** What was read, with names that are one post's each as they are kept: of those that share one the second is told from the first by `#2`. */
export function finished(
  read: Omit<ReadSource, "images" | "isNamed" | "leftOut" | "wantsAddress"> &
    Partial<Pick<ReadSource, "images" | "isNamed" | "leftOut" | "wantsAddress">>,
): ReadSource {
  notTooMany(read.entries.length);
  const taken = new Set(read.entries.map(({ external_id }) => cleanLineOf(external_id)));
  const seen = new Set<string>();
  const notes = [...new Set(read.notes)];
  let doubled = 0;
  const entries = read.entries.map((entry): ImportEntry => {
    const external_id = cleanLineOf(entry.external_id);
    if (!seen.has(external_id)) {
      seen.add(external_id);
      return entry;
    }
    doubled++;
    let n = 2;
    while (taken.has(`${external_id}#${n}`)) n++;
    taken.add(`${external_id}#${n}`);
    seen.add(`${external_id}#${n}`);
    return { ...entry, external_id: `${external_id}#${n}` };
  });
  if (doubled > 0) {
    notes.push(
      `${doubled === 1 ? "One post has" : `${figure(doubled)} posts have`} the name of another one; each is taken for a post of its own`,
    );
  }
  return {
    ...read,
    isNamed: read.isNamed ?? true,
    wantsAddress: read.wantsAddress ?? false,
    entries,
    notes,
    leftOut: read.leftOut ?? [],
    images: read.images ?? new Map(),
  };
}
