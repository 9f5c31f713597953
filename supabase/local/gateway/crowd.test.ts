import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Crowd } from "./crowd.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve));
const address = "10.0.0.1";
let clients = 0;
/** An address that was not there before. */
const another = () => `10.1.0.${clients++}`;
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

test("sixteen pages of many workspaces are under way at once for one address, and those for others do not wait", async () => {
  const crowd = new Crowd();
  for (let at = 0; at < 60; at++) await crowd.read(`host ${at}`, address, async (tell) => tell(20_000));
  let hosts = 0;
  const one = begin(60, (work) => crowd.read(`host ${hosts++}`, address, work));
  const other = begin(1, (work) => crowd.read("other", "10.0.0.2", work));
  await soon();
  expect([one(), other()]).toEqual([16, 1]);
});

test("of workspaces that nothing is known of four are, and those that are read wait for none of them", async () => {
  const crowd = new Crowd();
  await crowd.read("read", address, async (tell) => tell(20_000));
  let hosts = 0;
  const unknown = begin(60, (work) => crowd.read(`host ${hosts++}`, address, work));
  const known = begin(12, (work) => crowd.read("read", address, work));
  await soon();
  expect([unknown(), known()]).toEqual([4, 10]);
});

describe("calls of /api", () => {
  const further = navigator.hardwareConcurrency + 1;

  test("go at once, one of each person's; further ones as many of all together as there are processors, and one", async () => {
    const crowd = new Crowd();
    const begun = ["a", "b", "c"].map((who) => begin(10, (work) => crowd.call(who, `10.0.0.${who}`, work)));
    await soon();
    expect(begun.reduce((sum, count) => sum + count(), 0)).toBe(3 + further);
    const other = begin(1, (work) => crowd.call("d", address, work));
    await soon();
    expect(other()).toBe(1);
  });

  test("of one address are no more people's than a dozen, whatever sessions are made up there", async () => {
    const crowd = new Crowd();
    let sessions = 0;
    const made = begin(60, (work) => crowd.call(`session ${sessions++}`, address, work));
    const other = begin(1, (work) => crowd.call("d", "10.0.0.2", work));
    await soon();
    expect([made(), other()]).toEqual([12 + 1 + further, 1]);
  });

  test("that take long let the next ones go, so that files on a slow line hold nobody up", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const crowd = new Crowd();
    const begun = begin(1 + 3 * further, (work) => crowd.call("a", address, work));
    for (const [ms, expected] of [
      [0, 1 + further],
      [249, 1 + further],
      [1, 1 + 2 * further],
      [250, 1 + 3 * further],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms);
      expect(begun()).toBe(expected);
    }
  });

  test("all are answered, also those that fail", async () => {
    const crowd = new Crowd();
    const calls = Array.from({ length: 40 }, (_, at) =>
      crowd.call("a", address, () => (at % 2 ? Promise.reject(new Error("no")) : Promise.resolve(at))),
    );
    const answers = await Promise.allSettled(calls);
    expect(answers.map(({ status }) => status)).toEqual(calls.map((_, at) => (at % 2 ? "rejected" : "fulfilled")));
  });
});

test("two pages of a workspace are under way at once until it is known how long its answers are", async () => {
  const crowd = new Crowd();
  const first = Promise.withResolvers<void>();
  const one = crowd.read("one", address, async (tell) => {
    await first.promise;
    tell(20_000);
  });
  const others = begin(30, (work) => crowd.read("one", another(), work));
  await soon();
  expect(others()).toBe(1);
  first.resolve();
  await one;
  await soon();
  expect(others()).toBe(12);
});

test.each([
  ["ten of twelve", 20_000, 10, 12],
  ["one of two", 500_000, 1, 2],
])("%s pages of a workspace are one address's, whatever it asks for", async (_, bytes, ofOne, all) => {
  const crowd = withoutPauses();
  for (const length of times(50, bytes)) await crowd.read("one", address, async (tell) => tell(length));
  await soon(); // the last of them is over
  const one = begin(60, (work) => crowd.read("one", address, work));
  const others = begin(60, (work) => crowd.read("one", another(), work));
  await soon();
  expect([one(), others()]).toEqual([ofOne, all - ofOne]);
});

test("twelve pages of a workspace are under way at once, and others' do not wait for them", async () => {
  const crowd = new Crowd();
  for (const workspace of ["one", "other"]) await crowd.read(workspace, address, async (tell) => tell(20_000));
  const one = begin(30, (work) => crowd.read("one", another(), work));
  const other = begin(1, (work) => crowd.read("other", address, work));
  await soon();
  expect([one(), other()]).toEqual([12, 1]);
});

/** Its clock stands still, so that no long answer is followed by a pause. */
const withoutPauses = () =>
  new Crowd(
    1,
    () => 0,
    () => Promise.resolve(),
  );

/** How many of a workspace's readers are under way at once when its last answers had so many bytes. */
async function readersAfter(answers: readonly number[]): Promise<number> {
  const crowd = withoutPauses();
  for (const bytes of answers) await crowd.read("one", address, async (tell) => tell(bytes));
  const begun = begin(30, (work) => crowd.read("one", another(), work));
  await soon();
  return begun();
}
const times = (count: number, bytes: number): number[] => Array<number>(count).fill(bytes);

test.each([
  ["pages of 60 KB", times(50, 60_000), 12],
  ["pages of 130 KB", times(50, 131_072), 6],
  ["feeds of half a megabyte", times(50, 500_000), 2],
  ["a feed of half a megabyte now and then", [...times(50, 20_000), 500_000], 10],
  ["nothing but that it is the same", [...times(50, 500_000), ...times(50, 0)], 12],
])("of a workspace that had %s of late as much is under way at once as others may have", async (_, answers, readers) => {
  expect(await readersAfter(answers)).toBe(readers);
});

test("what one workspace has long ones of leaves another its places", async () => {
  const crowd = withoutPauses();
  for (const bytes of times(50, 500_000)) await crowd.read("one", address, async (tell) => tell(bytes));
  await crowd.read("other", address, async (tell) => tell(20_000));
  const [one, other] = ["one", "other"].map((workspace) => begin(30, (work) => crowd.read(workspace, another(), work)));
  await soon();
  expect([one!(), other!()]).toEqual([2, 12]);
});

test("whose answers become short again has all places again, also those who wait already", async () => {
  const crowd = withoutPauses();
  for (const bytes of times(50, 500_000)) await crowd.read("one", address, async (tell) => tell(bytes));
  const first = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const under = first.map(({ promise }) =>
    crowd.read("one", another(), async (tell) => {
      await promise;
      for (let at = 0; at < 50; at++) tell(0);
    }),
  );
  const waiting = begin(30, (work) => crowd.read("one", another(), work));
  await soon();
  expect(waiting()).toBe(0);
  for (const { resolve } of first) resolve();
  await Promise.all(under);
  await soon();
  expect(waiting()).toBe(12);
});

test("what readers send keeps nobody waiting who reads", async () => {
  const crowd = new Crowd();
  const sending = begin(10, (work) => crowd.call(address, address, work));
  const readers = begin(1, (work) => crowd.read("one", address, work));
  await soon();
  expect([sending(), readers()]).toEqual([1 + navigator.hardwareConcurrency + 1, 1]);
});

test("every reader has a turn", async () => {
  const crowd = new Crowd();
  const reads = Array.from({ length: 30 }, () => crowd.read("one", address, async (tell) => tell(20_000)));
  expect(await Promise.all(reads)).toHaveLength(30);
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
    1,
    () => clock.now,
    (ms) => {
      pauses.push(ms);
      return pause(ms);
    },
  );
  return { crowd, clock, pauses };
}

test("a long answer is followed by a pause twice as long as it took, a fifth of a second at most, for which its reader does not wait", async () => {
  const waiting = Promise.withResolvers<void>();
  const { crowd, clock, pauses } = timed(() => waiting.promise);
  const read = (ms: number, bytes: number) =>
    crowd.read("one", another(), async (tell) => {
      clock.now += ms;
      tell(bytes);
      return "read";
    });
  expect([await read(30, 500_000), await read(3_000, 500_000)]).toEqual(["read", "read"]);
  expect(pauses).toEqual([60, 200]);
  const next = begin(1, (work) => crowd.read("one", address, work));
  await soon();
  expect(next()).toBe(0); // both places are still taken
  waiting.resolve();
  await soon();
  expect(next()).toBe(1);
});

test("short answers are followed by none, and what fails frees its place", async () => {
  const { crowd, clock, pauses } = timed();
  await crowd.read("one", address, async (tell) => {
    clock.now += 30;
    tell(60_000);
  });
  for (let at = 0; at < 3; at++) await expect(crowd.read("one", address, () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(pauses).toEqual([]);
});

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

describe("who asks for workspaces that are not there", () => {
  const nothing = async () => {};
  const miss = async (crowd: Crowd, times: number) => {
    for (let at = 0; at < times; at++) await crowd.read(`nobody ${at}`, address, nothing);
  };

  test("waits before the next is looked for, longer each time, a second at most", async () => {
    const { crowd, pauses } = timed();
    await miss(crowd, 21);
    expect(pauses).toEqual([]);
    await miss(crowd, 30);
    expect(pauses.slice(0, 3)).toEqual([50, 100, 150]);
    expect(pauses.at(-1)).toBe(1_000);
  });

  test("reads those that are there as before, a new one after that wait; other addresses do not wait", async () => {
    const { crowd, pauses } = timed();
    await crowd.read("read", address, async (tell) => tell(20_000));
    await miss(crowd, 30);
    const before = pauses.length;
    await crowd.read("read", address, async (tell) => tell(20_000));
    await crowd.read("nobody", "10.0.0.2", nothing);
    expect(pauses).toHaveLength(before);
    await crowd.read("new", address, async (tell) => tell(20_000));
    expect(pauses).toHaveLength(before + 1);
    await crowd.read("new", address, async (tell) => tell(20_000));
    expect(pauses).toHaveLength(before + 1);
  });

  test("is forgiven with time, and a page that is missing of a workspace that is read counts for nothing", async () => {
    const { crowd, clock, pauses } = timed();
    await miss(crowd, 21);
    clock.now = 10_000;
    await crowd.read("read", address, async (tell) => tell(20_000));
    for (let at = 0; at < 100; at++) await crowd.read("read", address, nothing);
    await miss(crowd, 19);
    expect(pauses).toEqual([]);
  });
});
