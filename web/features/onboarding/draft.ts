import { z } from "zod";
import { readStored, writeStored } from "../../lib/storage.ts";

/** Onboarding input, kept across reloads. `pictures`: key in picture-store. */
const draft = z.object({
  step: z.union([z.literal(1), z.literal(2)]),
  values: z.record(z.string(), z.string()),
  pictures: z.string(),
});
export type Draft = z.infer<typeof draft>;

const key = "tc:onboarding";

export function readDraft(): Draft | null {
  const stored = readStored("session", key);
  if (stored === null) return null;
  try {
    return draft.parse(JSON.parse(stored));
  } catch {
    return null; // stored by an older version
  }
}

export const keepDraft = (draft: Draft): boolean => writeStored("session", key, JSON.stringify(draft));
export const dropDraft = (): boolean => writeStored("session", key, null);
