import { ApiError } from "../../../lib/api-client.ts";
import { isSaving, type Intent } from "./write.ts";

/**
 * Why what is on the screen is not on the server: a save that is `unanswered` is repeated, of anything else that got no answer it is
 * `unknown` whether it was done, which is asked for; `gone` and `forbidden` will not pass, `refused` is something the person can mend,
 * told by `sentence`.
 */
export type SaveTrouble = { reason: "unanswered" | "unknown" | "gone" | "forbidden" } | { reason: "refused"; sentence: string };

/** No answer came, or none that settles it. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.code === "rate_limited";

export function saveTrouble(error: unknown, intent: Intent): SaveTrouble {
  if (isUnanswered(error)) return { reason: isSaving(intent) ? "unanswered" : "unknown" };
  if (!(error instanceof ApiError)) throw error;
  if (error.code === "not_found") return { reason: "gone" };
  if (error.code === "forbidden") return { reason: "forbidden" };
  return { reason: "refused", sentence: Object.values(error.fields)[0] ?? error.message };
}
