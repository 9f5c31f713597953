import { describe, expect, onTestFinished, test, vi } from "vitest";
import { QueueFull } from "#contract/rules/fair-queue.ts";
import { networkOf } from "#contract/rules/network-of.ts";
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
  signal: new AbortController().signal,
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

describe("who is busy elsewhere", () => {
  const read = async (crowd: Crowd, ...workspaces: string[]) => {
    for (const workspace of workspaces) await crowd.read(workspace, another(), async (tell) => tell(20_000));
  };

  test("with all that he may have begun holds no places of a workspace while his requests for it wait", async () => {
    const crowd = new Crowd();
    const elsewhere = ["a", "b"].flatMap((from) => ["one", "two"].map((workspace) => ({ from, workspace: `${workspace} of ${from}` })));
    await read(crowd, "wanted", ...elsewhere.map(({ workspace }) => workspace));
    const busy = elsewhere.map(({ from, workspace }) => begin(8, (work) => crowd.read(workspace, from, work)));
    const waiting = ["a", "b"].map((from) => begin(10, (work) => crowd.read("wanted", from, work)));
    await soon();
    expect([...busy, ...waiting].map((count) => count())).toEqual([8, 8, 8, 8, 0, 0]);
    const other = begin(12, (work) => crowd.read("wanted", "c", work));
    await soon();
    expect(other()).toBe(10);
  });

  test("or waits because he asks for what is not there holds no place of a workspace that nothing is known of", async () => {
    const { crowd } = timed(() => new Promise(() => {}));
    for (const from of ["a", "b"]) {
      for (let at = 0; at < 30; at++) void crowd.seek(from, async () => false, Boolean);
      await soon();
      void crowd.read("wanted", from, () => new Promise(() => {}));
    }
    const other = begin(1, (work) => crowd.read("wanted", "c", work));
    await soon();
    expect(other()).toBe(1);
  });
});

test("the pause after a long answer keeps nobody of its address from reading elsewhere", async () => {
  const { crowd, clock } = timed(() => new Promise(() => {}));
  const long = Array.from({ length: 16 }, (_, at) => `long ${at}`);
  for (const workspace of [...long, "other"]) await crowd.read(workspace, another(), async (tell) => tell(20_000));
  for (const workspace of long)
    await crowd.read(workspace, address, async (tell) => {
      clock.now += 30;
      tell(500_000);
    });
  const elsewhere = begin(1, (work) => crowd.read("other", address, work));
  await soon();
  expect(elsewhere()).toBe(1);
});

test("sixty addresses of one network of IPv6 have the places of one address", async () => {
  const crowd = new Crowd();
  await crowd.read("one", another(), async (tell) => tell(20_000));
  let last = 0;
  const one = begin(60, (work) => crowd.read("one", networkOf(`2001:db8::${(last++).toString(16)}`), work));
  const other = begin(1, (work) => crowd.read("one", networkOf("2001:db8:0:1::1"), work));
  await soon();
  expect([one(), other()]).toEqual([10, 1]);
});

/** The ways of waiting: what fills them for an address, and how many of its works are under way then. */
type Run = (crowd: Crowd, from: string, work: () => Promise<void>, signal?: AbortSignal) => Promise<unknown>;
const ways: [string, number, Run][] = [
  ["to read", 10, (crowd, from, work, signal) => crowd.read("read", from, work, signal)],
  [
    "to read what nothing is known of",
    1,
    (crowd, from, work, signal) => {
      const read = async (tell: (bytes: number) => void) => {
        await work();
        tell(20_000);
      };
      return crowd.read("unknown", from, read, signal);
    },
  ],
  ["for calls", 1 + navigator.hardwareConcurrency + 1, (crowd, from, work, signal) => crowd.call(`address ${from}`, from, work, signal)],
  ["to look for workspaces", 4, (crowd, from, work, signal) => crowd.seek(from, work, () => true, signal)],
  ["to send large bodies", 6, (crowd, from, work, signal) => crowd.receive({ ...sent(2_000_000), ...(signal && { signal }) }, from, work)],
];

describe.each(ways)("those who wait %s", (_, places, run) => {
  /** A crowd in which all that an address may have is under way, and how that ends. */
  async function busy(scale = 1) {
    const crowd = new Crowd(scale);
    await crowd.read("read", another(), async (tell) => tell(20_000));
    const held = Promise.withResolvers<void>();
    const holders = Array.from({ length: places }, () => run(crowd, address, () => held.promise));
    await soon();
    const end = async () => {
      held.resolve();
      await Promise.all(holders);
      await soon();
    };
    return { crowd, end };
  }
  /** How many of so many go on waiting, and how many are refused. */
  async function wait(crowd: Crowd, times: number, from: string, work: () => Promise<void>, signal?: AbortSignal) {
    const counts = { refused: 0, gone: 0 };
    for (let at = 0; at < times; at++)
      run(crowd, from, work, signal).catch((error: unknown) => {
        if (error instanceof QueueFull) counts.refused += 1;
        else if (error === signal?.reason) counts.gone += 1;
        else throw error;
      });
    await soon();
    return counts;
  }
  const quick = async () => {};

  test("are two hundred of an address at most, and others wait as before", async () => {
    const { crowd, end } = await busy();
    let done = 0;
    const work = async () => void (done += 1);
    expect(await wait(crowd, 203, address, work)).toEqual({ refused: 3, gone: 0 });
    expect(await wait(crowd, 1, "10.0.0.2", work)).toEqual({ refused: 0, gone: 0 });
    await end();
    await vi.waitFor(() => expect(done).toBe(201));
    expect(await wait(crowd, 100, address, quick)).toEqual({ refused: 0, gone: 0 });
  });

  test("are more where all limits are wider", async () => {
    const { crowd } = await busy(2);
    expect(await wait(crowd, 403, address, quick)).toEqual({ refused: 3, gone: 0 });
  });

  test("and go leave the queue: they never begin, and others wait in their stead", async () => {
    const { crowd, end } = await busy();
    const clients = new AbortController();
    let begun = 0;
    const counts = await wait(crowd, 200, address, async () => void (begun += 1), clients.signal);
    clients.abort();
    await soon();
    expect(counts).toEqual({ refused: 0, gone: 200 });
    expect(await wait(crowd, 1, address, quick, clients.signal)).toEqual({ refused: 0, gone: 1 });
    let done = 0;
    expect(await wait(crowd, 201, address, async () => void (done += 1))).toEqual({ refused: 1, gone: 0 });
    await end();
    await vi.waitFor(() => expect(done).toBe(200));
    const again = begin(places + 1, (work) => run(crowd, address, work));
    await soon();
    expect([begun, again()]).toEqual([0, Math.max(2, places)]); // something is known of all that was read
  });
});

test("who goes while he waits because he has asked for much that is not there is not looked for", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const crowd = new Crowd();
  for (let at = 0; at < 21; at++) await crowd.seek(address, async () => false, Boolean);
  const client = new AbortController();
  const look = vi.fn(async () => true);
  const gone = crowd.seek(address, look, Boolean, client.signal);
  await vi.advanceTimersByTimeAsync(10);
  client.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  expect(vi.getTimerCount()).toBe(0);
  const next = crowd.seek(address, look, Boolean);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([await next, look.mock.calls.length]).toEqual([true, 1]);
});
