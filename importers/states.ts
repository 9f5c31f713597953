import { shorten } from "#contract/blocks/excerpt.ts";
import { cleanText } from "#contract/blocks/text.ts";
import type { EntryStatus } from "./entry.ts";

const words: Readonly<Record<EntryStatus, readonly string[]>> = {
  draft: ["draft", "drafts", "unpublished"],
  scheduled: ["scheduled"],
  published: ["published", "publish", "public", "live", "done", "complete", "completed", "shipped", "released", "launched", "posted"],
  archived: ["archived"],
};
const statuses = new Map(
  (Object.keys(words) as EntryStatus[]).flatMap((status) => words[status].map((word): [string, EntryStatus] => [word, status])),
);

export const statusNamed = (name: string): EntryStatus | null =>
  statuses.get(
    name
      .toLowerCase()
      .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
      .slice(0, 100),
  ) ?? null;

/** Posts with an unknown state are never published automatically. */
export const unknownStateNote = (name: string): string =>
  `Its state was “${shorten(cleanText(name.slice(0, 200)).replace(/\s+/g, " ").trim(), 40)}”, so it's imported as a draft`;

export const stateNotes = (name: string | null): string[] => (name === null || statusNamed(name) !== null ? [] : [unknownStateNote(name)]);
