import { expect, test } from "vitest";
import { BytePace } from "./byte-pace.ts";

/** A pace of a thousand bytes a second whose clock goes on only when it is told to. */
function paced(size: number) {
  let now = 0;
  let timers: { at: number; goOn: () => void }[] = [];
  const pace = new BytePace(
    { size, perSecond: 1_000 },
    () => now,
    (goOn, ms) => void timers.push({ at: now + ms, goOn }),
  );
  const taken: string[] = [];
  const take = (who: string, bytes: number) => void pace.take(who, bytes).then(() => taken.push(who));
  /** What was taken once so many milliseconds have passed. */
  const after = async (ms: number): Promise<string> => {
    for (const end = now + ms; ;) {
      const next = timers.toSorted((one, other) => one.at - other.at)[0];
      now = Math.min(end, next?.at ?? end);
      if (next === undefined || next.at > end) break;
      timers = timers.filter((timer) => timer !== next);
      next.goOn();
    }
    await new Promise<void>((resolve) => setImmediate(resolve)); // every promise of before
    return taken.join("");
  };
  return { take, after, timers: () => timers.length };
}

test("what is not much is taken at once", async () => {
  const { take, after, timers } = paced(100);
  take("a", 60);
  take("a", 60);
  expect(await after(0)).toBe("aa");
  expect(timers()).toBe(0);
});

test("then so many bytes a second, a large piece being made up for before the next", async () => {
  const { take, after } = paced(100);
  for (let piece = 0; piece < 4; piece += 1) take("a", 500);
  expect(await after(0)).toBe("a");
  expect(await after(400)).toBe("a");
  expect(await after(2)).toBe("aa");
  expect(await after(500)).toBe("aaa");
  expect(await after(498)).toBe("aaa");
  expect(await after(4)).toBe("aaaa");
});

test("whoever comes later has a turn after one piece of each other, not after all of theirs", async () => {
  const { take, after } = paced(1);
  for (let piece = 0; piece < 5; piece += 1) take("a", 100);
  take("b", 100);
  take("c", 100);
  take("b", 100);
  expect(await after(1_000)).toBe("aabcabaa");
});

test("nobody overtakes those who wait, however little it is", async () => {
  const { take, after } = paced(1);
  take("a", 100);
  take("b", 100);
  await after(99.5);
  take("c", 1);
  expect(await after(0)).toBe("a");
  expect(await after(300)).toBe("abc");
});

test("a pause is made up for by no more than may come at once", async () => {
  const { take, after } = paced(100);
  await after(60_000);
  for (let piece = 0; piece < 4; piece += 1) take("a", 50);
  expect(await after(0)).toBe("aa");
});
