import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { proposedScopes } from "#contract/api-keys.ts";

/** What somebody has filled in so far; stays when the dialog is closed by accident. */
export interface KeyDraft {
  name: string;
  scopes: readonly ApiKeyScope[];
  lasts: "30" | "90" | "365" | "never" | "until";
  /** A day of the calendar here, for `until`. */
  day: string;
}

export const emptyDraft: KeyDraft = { name: "", scopes: proposedScopes, lasts: "365", day: "" };

/** Null: it works until it is revoked. Undefined: a day is wanted and there is none. Until the end of the day that is named. */
export function expiryOf({ lasts, day }: KeyDraft, now: Date): string | null | undefined {
  if (lasts === "never") return null;
  if (lasts !== "until") return new Date(now.getTime() + Number(lasts) * 86_400_000).toISOString();
  const [year, month, date] = day.split("-").map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date, 23, 59, 59).toISOString();
}
