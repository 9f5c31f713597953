import type { Waiting } from "./machine.ts";

/** That nothing moves at the moment, and when it will. */
export function waitingWords(waiting: Waiting): string {
  if (waiting.why === "offline") return "The server cannot be reached. This goes on by itself as soon as it can.";
  const seconds = Math.max(1, Math.round((waiting.until - Date.now()) / 1_000));
  const moment = new Date(waiting.until).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return seconds < 20
    ? "The server is busy; this goes on in a moment."
    : `The server takes no more at the moment. This goes on by itself at ${moment}.`;
}
