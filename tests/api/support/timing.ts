import { expect, vi } from "vitest";

const closeMs = 85; // two steps of steady time would be more

/**
 * Ways to ask must not be told apart by how long the answer takes. A busy machine delays any single answer, so the quickest of each counts, asked in
 * turns until they come together; those that are really apart never do. Each way resolves to milliseconds.
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
