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
