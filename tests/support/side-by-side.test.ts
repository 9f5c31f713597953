import { expect, test } from "vitest";
import { type Job, runSideBySide } from "./side-by-side.ts";

/** Jobs that end when they are told to, and what has begun and ended, in order. */
function jobsOf(sizes: Record<string, number>) {
  const seen: string[] = [];
  const end: Record<string, () => void> = {};
  const jobs: Job[] = Object.entries(sizes).map(([name, cores]) => ({
    cores,
    run: () => {
      seen.push(name);
      return new Promise((resolve) => (end[name] = resolve));
    },
  }));
  const ended = async (name: string) => {
    end[name]!();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { jobs, seen, ended };
}

test("as much runs at a time as there is room for, and what fits goes before what does not", async () => {
  const { jobs, seen, ended } = jobsOf({ waits: 0.5, long: 1, both: 2, short: 1, last: 1 });
  const all = runSideBySide(jobs, 2.5);
  expect(seen).toEqual(["waits", "long", "short"]);
  await ended("short");
  expect(seen.at(-1)).toBe("last");
  await ended("last");
  expect(seen).not.toContain("both");
  await ended("long");
  expect(seen.at(-1)).toBe("both");
  await ended("waits");
  await ended("both");
  await all;
});

test("what wants more than there is runs alone", async () => {
  const { jobs, seen, ended } = jobsOf({ one: 1, four: 4, other: 1 });
  const all = runSideBySide(jobs, 1);
  expect(seen).toEqual(["one"]);
  await ended("one");
  expect(seen).toEqual(["one", "four"]);
  await ended("four");
  await ended("other");
  await all;
});

test("a job that throws is thrown", async () => {
  const broken: Job = { cores: 1, run: () => Promise.reject(new Error("broken")) };
  await expect(runSideBySide([broken], 2)).rejects.toThrow("broken");
});
