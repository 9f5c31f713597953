/**
 * How handing a mail over went: taken, to be tried again (after that many seconds, where the transport said so), or refused for good.
 * `status` is what was answered; without one there was no answer.
 */
export interface Handed {
  outcome: "done" | "again" | "failed";
  status?: number;
  error?: string;
  after?: number;
  /** It was the reader's own mail server that did not want it: an address that does not exist, or a mailbox that is full. */
  bounce?: "hard" | "soft";
  /** What the transport calls this mail; what comes back names it so. */
  remote?: string;
}
