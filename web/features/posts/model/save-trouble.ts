import { ApiError } from "../../../lib/api-client.ts";

/**
 * Why what is on the screen is not on the server: `unanswered` may pass by itself; `gone` and `forbidden` will not,
 * `refused` is something the person can mend, told by `sentence`.
 */
export type SaveTrouble = { reason: "unanswered" | "gone" | "forbidden" } | { reason: "refused"; sentence: string };

export function saveTrouble(error: unknown): SaveTrouble {
  if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.code === "rate_limited")
    return { reason: "unanswered" };
  if (error.code === "not_found") return { reason: "gone" };
  if (error.code === "forbidden") return { reason: "forbidden" };
  return { reason: "refused", sentence: Object.values(error.fields)[0] ?? error.message };
}
