import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { proposedScopes } from "#contract/api-keys.ts";

/** Kept when the dialog closes by accident. */
export interface KeyDraft {
  name: string;
  scopes: readonly ApiKeyScope[];
  lasts: "30" | "90" | "365" | "never" | "until";
  /** Local date, for `until`. */
  day: string;
}

export const emptyDraft: KeyDraft = { name: "", scopes: proposedScopes, lasts: "365", day: "" };

/** Expiry as ISO time, at the end of the chosen day. Null: never; undefined: date missing. */
export function expiryOf({ lasts, day }: KeyDraft, now: Date): string | null | undefined {
  if (lasts === "never") return null;
  if (lasts !== "until") return new Date(now.getTime() + Number(lasts) * 86_400_000).toISOString();
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
