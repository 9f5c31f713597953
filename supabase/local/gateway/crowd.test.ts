import { expect, test } from "vitest";
import { Crowd } from "./crowd.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve));
const asked = { method: "GET" };
const refused = new Response(null, { status: 429 });
const sent = (bytes: number | null) => ({
  method: "POST",
  headers: new Headers(bytes === null ? {} : { "content-length": String(bytes) }),
  body: new ReadableStream<Uint8Array<ArrayBuffer>>(),
});

/** Begins works that never end, and counts those that have begun. */
function begin(times: number, run: (work: () => Promise<never>) => Promise<unknown>): () => number {
  let begun = 0;
  for (let at = 0; at < times; at++)
    void run(() => {
      begun += 1;
      return new Promise<never>(() => {});
    });
  return () => begun;
}

test("twelve pages of a workspace are under way at once, and others' do not wait for them", async () => {
  const crowd = new Crowd();
  const one = begin(30, (work) => crowd.read(asked, "one", work));
  const other = begin(1, (work) => crowd.read(asked, "other", work));
  await soon();
  expect([one(), other()]).toEqual([12, 1]);
});

test("bodies that come in slowly keep no reader waiting", async () => {
  const crowd = new Crowd();
  const slow = begin(30, (work) => crowd.read(sent(100), "one", work));
  const readers = begin(1, (work) => crowd.read(asked, "one", work));
  await soon();
  expect([slow(), readers()]).toEqual([30, 1]);
});

test("every reader has a turn", async () => {
  const crowd = new Crowd();
  expect(await Promise.all(Array.from({ length: 30 }, (_, at) => crowd.read(asked, "one", async () => at)))).toHaveLength(30);
});

test("six large bodies come from an address at once; small ones and other addresses do not wait", async () => {
  const crowd = new Crowd();
  const large = begin(30, (work) => crowd.receive(sent(2_000_000), "192.0.2.1", work));
  const unknown = begin(30, (work) => crowd.receive(sent(null), "192.0.2.2", work));
  const small = begin(30, (work) => crowd.receive(sent(400_000), "192.0.2.1", work));
  const other = begin(1, (work) => crowd.receive(sent(2_000_000), "192.0.2.3", work));
  await soon();
  expect([large(), unknown(), small(), other()]).toEqual([6, 6, 30, 1]);
});

/** A crowd whose time is told, and the pauses that it made. */
function timed(pause: (ms: number) => Promise<void> = async () => {}) {
  const pauses: number[] = [];
  const clock = { now: 0 };
  const crowd = new Crowd(
    () => clock.now,
    (ms) => {
      pauses.push(ms);
      return pause(ms);
    },
  );
  return { crowd, clock, pauses };
}

test("who goes on asking hears a refusal later each time, a second later at most", async () => {
  const { crowd, pauses } = timed();
  for (let at = 0; at < 20; at++) expect(await crowd.hold(refused, "one")).toBe(refused);
  expect(pauses).toEqual([]);
  for (let at = 0; at < 30; at++) await crowd.hold(refused, "one");
  expect(pauses.slice(0, 3)).toEqual([50, 100, 150]);
  expect(pauses.at(-1)).toBe(1_000);
});

test("what is answered, and what others are refused, is not held back", async () => {
  const { crowd, pauses } = timed();
  for (let at = 0; at < 20; at++) await crowd.hold(refused, "one");
  await crowd.hold(new Response("here"), "one");
  await crowd.hold(new Response(null, { status: 403 }), "one");
  await crowd.hold(refused, "other");
  expect(pauses).toEqual([]);
});

test("refusals are forgotten with time", async () => {
  const { crowd, clock, pauses } = timed();
  for (let at = 0; at < 20; at++) await crowd.hold(refused, "one");
  clock.now = 10_000;
  await crowd.hold(refused, "one");
  expect(pauses).toEqual([]);
});

test("of very many refusals the next ones are given at once", async () => {
  const { crowd, pauses } = timed(() => new Promise(() => {}));
  for (let at = 0; at < 600; at++) void crowd.hold(refused, "one");
  expect(pauses).toHaveLength(500);
  expect(await crowd.hold(refused, "one")).toBe(refused);
});
