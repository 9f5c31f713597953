import { hasOrder, isoDate, orderOf } from "./dates.ts";
import { type ImportEntry, ImportProblem, type ReadSource } from "./entry.ts";
import { cleanLineOf } from "./external-id.ts";
import { importMaxEntries } from "#contract/limits.ts";
import { figure } from "#contract/rules/figure.ts";

export function notTooMany(count: number): void {
  if (count > importMaxEntries) {
    throw new ImportProblem(`There are ${figure(count)} posts; an import can have at most ${figure(importMaxEntries)}`);
  }
}

/** Resolves dates like 03/04/2020 by their neighbours; ambiguous ones stay as written. */
function withDates(entries: readonly ImportEntry[]): readonly ImportEntry[] {
  const order = orderOf(entries.flatMap(({ published_at }) => published_at ?? []));
  const settled = (date: string | null | undefined) => (date && hasOrder(date) ? (isoDate(date, order) ?? date) : date);
  return entries.map((entry): ImportEntry => {
    const { published_at, publish_at } = entry;
    const [published, comes] = [settled(published_at) ?? null, settled(publish_at)];
    if (published === published_at && comes === publish_at) return entry;
    return { ...entry, published_at: published, ...(comes === undefined ? {} : { publish_at: comes }) };
  });
}

/** Makes stored ids unique: duplicates get `#2`. */
export function finished(
  read: Omit<ReadSource, "images" | "isNamed" | "leftOut" | "wantsAddress"> &
    Partial<Pick<ReadSource, "images" | "isNamed" | "leftOut" | "wantsAddress">>,
): ReadSource {
  notTooMany(read.entries.length);
  const usedIds = new Set(read.entries.map(({ external_id }) => cleanLineOf(external_id)));
  const seen = new Set<string>();
  const notes = [...new Set(read.notes)];
  let doubled = 0;
  const entries = withDates(read.entries).map((entry): ImportEntry => {
    const external_id = cleanLineOf(entry.external_id);
    if (!seen.has(external_id)) {
      seen.add(external_id);
      return entry;
    }
    doubled++;
    let n = 2;
    while (usedIds.has(`${external_id}#${n}`)) n++;
    usedIds.add(`${external_id}#${n}`);
    seen.add(`${external_id}#${n}`);
    return { ...entry, external_id: `${external_id}#${n}` };
  });
  if (doubled > 0) {
    notes.push(
      `${doubled === 1 ? "One post has" : `${figure(doubled)} posts have`} the same id as another; each is imported as its own post`,
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
