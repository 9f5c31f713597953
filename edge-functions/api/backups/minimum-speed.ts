/** Grace period, and minimum speed afterwards: 4 GB take 11¼ hours. */
const graceMs = 10 * 60_000;
const slowestBytesPerSecond = 100_000;

export const isTooSlow = (bytes: number, ms: number): boolean => ms > graceMs + (bytes / slowestBytesPerSecond) * 1_000;
