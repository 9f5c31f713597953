/** Hosted's limit: 5 presence calls in 30 seconds. */
const callsPerWindow = 5;
const windowMs = 30_000;

/** Counts one client's presence calls in a channel; returns whether the next is allowed. */
export function presenceAllowance(): (now: number) => boolean {
  let calls = 0;
  let windowEnds = 0;
  return (now) => {
    if (now > windowEnds) {
      calls = 0;
      windowEnds = now + windowMs;
    }
    calls += 1;
    return calls <= callsPerWindow;
  };
}

/** Messages of a connection: burst, rate per second, bytes each. An editor tab sends four a second at most. */
const messages = { atOnce: 200, perSecond: 50, bytes: 4_096 };

/** Token bucket for messages; returns the delay in ms before handling the next one. */
export function messagePace(): (bytes: number, now: number) => number {
  let left = messages.atOnce;
  let at: number | undefined;
  return (bytes, now) => {
    left = Math.min(messages.atOnce, left + ((now - (at ?? now)) / 1_000) * messages.perSecond);
    at = now;
    left -= Math.max(1, bytes / messages.bytes);
    return left >= 0 ? 0 : (-left / messages.perSecond) * 1_000;
  };
}
