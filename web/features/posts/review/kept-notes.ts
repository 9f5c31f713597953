import { createContext } from "react";
import { readStored, writeStored } from "../../../lib/storage.ts";
import type { TimeChoice } from "../publishing/time-fields.tsx";

/** A note that is not sent yet. `time`: when the post is to be published, where that is not at once. */
export interface KeptNote {
  note: string;
  time?: TimeChoice;
}

/** Whose notes, and on which post, review or proposal. */
export const notesOn = (userId: string, id: string): string => `${userId}:${id}`;
/** What the decisions below are about. Null: nothing is kept. */
export const NotesContext = createContext<string | null>(null);

/** Where the note of a wish or a decision is kept. */
export const noteAt = (on: string | null, kind: "ask" | "propose" | "approve" | "refuse"): string | null => on && `tc:note:${on}:${kind}`;

/** What was written and not sent in this tab: it is there again when its dialog is, however that was closed. */
export function readNote(place: string | null): KeptNote | null {
  try {
    const kept = JSON.parse((place && readStored("session", place)) ?? "null") as Partial<KeptNote> | null;
    return typeof kept?.note === "string" ? { note: kept.note, ...(isTime(kept.time) && { time: kept.time }) } : null;
  } catch {
    return null;
  }
}

/** Keeps it, or with null forgets it: it was sent. */
export function keepNote(place: string | null, kept: KeptNote | null): void {
  if (place) writeStored("session", place, kept && JSON.stringify(kept));
}

const isTime = (time: Partial<TimeChoice> | undefined): time is TimeChoice =>
  typeof time?.day === "string" && typeof time.time === "string";
