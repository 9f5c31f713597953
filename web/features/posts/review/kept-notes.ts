import { createContext } from "react";
import { readStored, writeStored } from "../../../lib/storage.ts";
import type { TimeChoice } from "../publishing/time-fields.tsx";

/** An unsent note. `time`: the requested publish time, if not on approval. */
export interface NoteDraft {
  note: string;
  time?: TimeChoice;
}

/** Owner of notes: a user and a post, review or proposal. */
export const noteOwner = (userId: string, id: string): string => `${userId}:${id}`;
/** Owner of the notes below; null: notes aren't stored. */
export const NotesContext = createContext<string | null>(null);

/** Storage key of a note. */
export const noteKey = (on: string | null, kind: "ask" | "propose" | "approve" | "refuse"): string | null => on && `tc:note:${on}:${kind}`;

/** An unsent note from sessionStorage. */
export function readNote(place: string | null): NoteDraft | null {
  try {
    const stored = JSON.parse((place && readStored("session", place)) ?? "null") as Partial<NoteDraft> | null;
    return typeof stored?.note === "string" ? { note: stored.note, ...(isTime(stored.time) && { time: stored.time }) } : null;
  } catch {
    return null;
  }
}

/** Stores a note; null removes it. */
export function storeNote(place: string | null, draft: NoteDraft | null): void {
  if (place) writeStored("session", place, draft && JSON.stringify(draft));
}

const isTime = (time: Partial<TimeChoice> | undefined): time is TimeChoice =>
  typeof time?.day === "string" && typeof time.time === "string";
