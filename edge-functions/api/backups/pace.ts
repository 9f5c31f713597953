/** So long a copy may be on its way whatever its size, and so much of it has to have moved a second later on: 4 GB take eleven hours and a quarter. */
const patienceMs = 10 * 60_000;
const slowestBytesPerSecond = 100_000;

/** Whether a bucket is slower than any copy waits for. */
export const isTooSlow = (bytes: number, ms: number): boolean => ms > patienceMs + (bytes / slowestBytesPerSecond) * 1_000;
