import { expect, vi } from "vitest";

const rounds = 3;
const closeMs = 100;

/**
 * Two ways to ask must not be told apart by how long the answer takes. A busy machine delays any single answer, so the quickest of a
 * few is compared, and the comparison is repeated before it counts as a difference.
 */
export async function expectAlikeInTime(one: () => Promise<number>, other: () => Promise<number>): Promise<void> {
  const quickest = async (ask: () => Promise<number>) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await ask());
    return Math.min(...times);
  };
  await vi.waitFor(async () => expect(Math.abs((await quickest(one)) - (await quickest(other)))).toBeLessThan(closeMs), {
    timeout: 20_000,
    interval: 100,
  });
}
