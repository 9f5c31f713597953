import { expect, test } from "vitest";
import { Lanes } from "./lanes.ts";
import type { Outcome } from "./resource.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve));
const page = (length: number) => ({ text: "x".repeat(length) }) as unknown as Outcome;

/** Begins reads that end when they are told to, and counts those that have begun. */
function begin(lanes: Lanes, subdomain: string, count: number) {
  const gate = Promise.withResolvers<Outcome>();
  let begun = 0;
  const all = Array.from({ length: count }, () =>
    lanes.read(subdomain, false, () => {
      begun += 1;
      return gate.promise;
    }),
  );
  return { begun: () => begun, end: (outcome: Outcome) => gate.resolve(outcome), all: Promise.all(all) };
}

test("of a workspace of which nothing is known one page is made, then three at once, beside those of others", async () => {
  const lanes = new Lanes();
  const first = begin(lanes, "one", 5);
  const other = begin(lanes, "other", 1);
  await soon();
  expect([first.begun(), other.begun()]).toEqual([1, 1]);
  first.end(page(20_000));
  await first.all;
  const next = begin(lanes, "one", 5);
  await soon();
  expect(next.begun()).toBe(3);
});

test("whoever had something long goes one at a time from then on, those included who wait already", async () => {
  const lanes = new Lanes();
  const first = begin(lanes, "one", 3);
  await soon();
  first.end(page(300_000));
  await first.all;
  const [next, another] = [begin(lanes, "one", 5), begin(lanes, "another", 5)];
  await soon();
  expect([next.begun(), another.begun()]).toEqual([1, 1]);
  another.end(page(10));
  lanes.note("one", 10); // a short one says nothing of the others
  const last = begin(lanes, "one", 1);
  await soon();
  expect(last.begun()).toBe(0);
});
