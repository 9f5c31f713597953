import { shorten } from "#contract/blocks/excerpt.ts";
import { cleanText } from "#contract/blocks/text.ts";
import type { EntryStatus } from "./entry.ts";

/** What sources call the state of a post, in small letters. Of any other word nobody knows whether readers had seen the post. */
const words: Readonly<Record<EntryStatus, readonly string[]>> = {
  draft: ["draft", "drafts", "unpublished"],
  scheduled: ["scheduled"],
  published: ["published", "publish", "public", "live", "done", "complete", "completed", "shipped", "released", "launched", "posted"],
  archived: ["archived"],
};
const statuses = new Map(
  (Object.keys(words) as EntryStatus[]).flatMap((status) => words[status].map((word): [string, EntryStatus] => [word, status])),
);

/** A state in a source's words, such as `Published` or `✅ Done`; null for one that is not known. */
export const statusNamed = (said: string): EntryStatus | null =>
  statuses.get(
    said
      .toLowerCase()
      .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
      .slice(0, 100),
  ) ?? null;

/** Why a post whose state is not known comes as a draft: nothing is published of which its source has not said so. */
export const unknownStateNote = (said: string): string =>
  `Its state there is “${shorten(cleanText(said.slice(0, 200)).replace(/\s+/g, " ").trim(), 40)}”, so it comes as a draft`;

/** The notes on a state as a source says it, null where it says none. */
export const stateNotes = (said: string | null): string[] => (said === null || statusNamed(said) !== null ? [] : [unknownStateNote(said)]);
