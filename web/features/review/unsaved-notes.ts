import { createContext } from "react";
import { readStored, writeStored } from "../../lib/storage.ts";
import type { TimeChoice } from "../posts/publishing/time-fields.tsx";

/** An unsent note. `time`: the requested publish time, if not on approval. */
export interface NoteDraft {
  note: string;
  time?: TimeChoice;
}

export const noteOwner = (userId: string, id: string): string => `${userId}:${id}`;
export const NotesContext = createContext<string | null>(null);

export const noteKey = (on: string | null, kind: "ask" | "propose" | "approve" | "refuse"): string | null => on && `tc:note:${on}:${kind}`;

export function readNote(place: string | null): NoteDraft | null {
  try {
    const stored = JSON.parse((place && readStored("session", place)) ?? "null") as Partial<NoteDraft> | null;
    return typeof stored?.note === "string" ? { note: stored.note, ...(isTime(stored.time) && { time: stored.time }) } : null;
  } catch {
    return null;
  }
}

export function storeNote(place: string | null, draft: NoteDraft | null): void {
  if (place) writeStored("session", place, draft && JSON.stringify(draft));
}

const isTime = (time: Partial<TimeChoice> | undefined): time is TimeChoice =>
  typeof time?.day === "string" && typeof time.time === "string";
