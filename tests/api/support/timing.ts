import { expect, vi } from "vitest";

const closeMs = 85; // less than two steps of constant-time rounding

/**
 * Asserts that variants take the same time. A busy machine delays single responses, so the fastest of each counts, interleaved until they converge;
 * real timing leaks never do. Each variant resolves to milliseconds.
 */
export async function expectAlikeInTime(...ways: (() => Promise<number>)[]): Promise<void> {
  const quickest = ways.map(() => Infinity);
  const ask = async () => {
    for (const [index, way] of ways.entries()) quickest[index] = Math.min(quickest[index]!, await way());
  };
  await ask();
  await ask();
  await vi.waitFor(
    async () => {
      await ask();
      expect(Math.max(...quickest) - Math.min(...quickest)).toBeLessThan(closeMs);
    },
    { timeout: 120_000, interval: 100 },
  );
}
