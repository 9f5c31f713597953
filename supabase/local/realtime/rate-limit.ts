/** Hosted closes a channel whose client calls presence more than 5 times in 30 seconds. */
const callsPerWindow = 5;
const windowMs = 30_000;

/** Counts one client's presence calls in one channel; each call says whether it is still allowed. */
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

/** A connection's messages: so many at once and a second, of four kilobytes each. A tab of the editor sends four a second at most. */
const messages = { atOnce: 200, perSecond: 50, bytes: 4_096 };

/** A token bucket for one connection's messages: how many milliseconds the next one, of so many bytes, waits until it is handled. */
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
