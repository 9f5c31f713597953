/** Result of sending: accepted, retry (after that many seconds), or rejected. `status` missing: no response. */
export interface Handed {
  outcome: "done" | "again" | "failed";
  status?: number;
  error?: string;
  after?: number;
  /** Rejected by the recipient's server: unknown address (hard) or full mailbox (soft). */
  bounce?: "hard" | "soft";
  /** Provider's message id, used in its events. */
  remote?: string;
}
