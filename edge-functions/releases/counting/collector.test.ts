import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LogLine } from "../../_shared/log.ts";
import type { Sql } from "../queries/database.ts";
import { Collector } from "./collector.ts";
import type { CountEvent } from "./events.ts";

const day = "2026-03-01";
const view = (changes: Partial<CountEvent> = {}): CountEvent => ({
  ...{ what: "view", subdomain: "acme", slug: "dark-mode", source: "page", address: "192.0.2.1", agent: "Mozilla/5.0 Firefox/140.0" },
  ...changes,
});
const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function beside(answer: () => Promise<unknown> = async () => []) {
  const told: CountEvent[][] = [];
  const lines: LogLine[] = [];
  const works: Promise<unknown>[] = [];
  let asked = 0;
  const sql = (async (query: TemplateStringsArray, events: string) => {
    asked++;
    expect(query.join("?")).toBe("select private.count_events(?::text::jsonb)");
    await answer();
    told.push(JSON.parse(events) as CountEvent[]);
  }) as unknown as Sql;
  const whole = new Collector({ sql, write: (line) => void lines.push(line), waitUntil: (work) => void works.push(work) });
  const collector = { note: (event: CountEvent, on: string) => whole.note(event, on, () => ({})) };
  return { collector, whole, told, lines, works, asked: () => asked };
}

describe("noted events", () => {
  test("are sent together after about a second, with the function kept alive", async () => {
    const { collector, told, works } = beside();
    collector.note(view(), day);
    collector.note(view({ address: "192.0.2.2", country: "DE", language: "de" }), day);
    expect([told.length, works.length]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([[view(), view({ address: "192.0.2.2", country: "DE", language: "de" })]]);
    await Promise.all(works);
    collector.note(view({ address: "192.0.2.3" }), day);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([told.length, works.length]).toEqual([2, 2]);
  });
  test("are sent at once from 200, at most 500 together", async () => {
    const { collector, told } = beside();
    const note = (from: number, to: number): void => {
      for (let reader = from; reader < to; reader++)
        collector.note(view({ agent: `Firefox ${reader}`, address: `192.0.2.${reader % 9}` }), day);
    };
    note(0, 199);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([]);
    note(199, 200);
    await vi.advanceTimersByTimeAsync(0);
    note(200, 1_150);
    await vi.advanceTimersByTimeAsync(0);
    expect(told.map(({ length }) => length)).toEqual([200, 500, 450]);
    note(1_150, 1_151);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(new Set(told.flat().map(({ agent }) => agent)).size).toBe(1_151);
  });
  test("count once per reader, subject and day", async () => {
    const { collector, told } = beside();
    const things = [
      view(),
      view({ slug: "webhooks" }),
      view({ subdomain: "globex" }),
      view({ what: "link_click" }),
      view({ agent: "Another" }),
      view({ address: "192.0.2.9" }),
      view({ what: "referrer", slug: undefined, name: "news.example" }),
      view({ what: "referrer", slug: undefined, name: "blog.example" }),
    ];
    for (let times = 0; times < 3; times++) for (const thing of things) collector.note(thing, day);
    for (const thing of things) collector.note({ ...thing, source: "mail" }, day);
    await vi.advanceTimersByTimeAsync(1_000);
    for (const thing of things) collector.note(thing, day);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told.flat()).toHaveLength(things.length);
    for (const thing of things) collector.note(thing, "2026-03-02");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told.flat()).toHaveLength(2 * things.length);
  });
  test("are deduplicated by a bounded memory of recent readers", async () => {
    const { collector, told } = beside();
    const read = async (from: number, to: number): Promise<void> => {
      for (let reader = from; reader < to; reader++) {
        collector.note(view({ address: `2001:db8:${reader}::/64` }), day);
        if (reader % 1_000 === 999) await vi.advanceTimersByTimeAsync(0);
      }
      await vi.advanceTimersByTimeAsync(1_000);
    };
    await read(0, 80_000);
    expect(told.flat()).toHaveLength(80_000);
    await read(60_000, 80_000);
    expect(told.flat()).toHaveLength(80_000);
    await read(0, 1); // evicted; the database deduplicates
    expect(told.flat()).toHaveLength(80_001);
  });
});

describe("a flood", () => {
  test("over a workspace's share are dropped and logged once, without affecting others", async () => {
    const { collector, told, lines } = beside();
    for (let reader = 0; reader < 3_000; reader++) collector.note(view({ subdomain: "flooded", address: `2001:db8:${reader}::/64` }), day);
    for (let reader = 0; reader < 50; reader++) collector.note(view({ address: `192.0.2.${reader}` }), day);
    await vi.advanceTimersByTimeAsync(2_000);
    const of = (subdomain: string): number => told.flat().filter((event) => event.subdomain === subdomain).length;
    expect([of("flooded"), of("acme")]).toEqual([1_000, 50]);
    expect(lines).toEqual([{ event: "counts lost", events: 2_000, reason: "too many at once" }]);
    // Lost events don't count as seen.
    collector.note(view({ subdomain: "flooded", address: "2001:db8:2999::/64" }), day);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(of("flooded")).toBe(1_001);
  });
  test("from one network are limited across workspaces", async () => {
    const { collector, told } = beside();
    for (let name = 0; name < 6_000; name++) collector.note(view({ subdomain: `made-up-${name}` }), day);
    collector.note(view({ address: "192.0.2.2" }), day);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([told.flat().length, told.flat().at(-1)?.address]).toEqual([1_001, "192.0.2.2"]);
  });
  test("from an IPv6 /48 share one limit", async () => {
    const { collector, told } = beside();
    for (let network = 0; network < 3_000; network++)
      collector.note(view({ subdomain: `s${network % 50}`, address: `2001:db8:1:${network.toString(16)}::/64` }), day);
    collector.note(view({ address: "2001:db8:2:1::/64" }), day);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([told.flat().length, told.flat().at(-1)?.address]).toEqual([1_001, "2001:db8:2:1::/64"]);
  });
  test("are bounded in memory while the database is down", async () => {
    const { collector, told, lines } = beside(() => Promise.reject(away));
    for (let reader = 0; reader < 20_000; reader++)
      collector.note(view({ subdomain: `s${reader % 50}`, address: `2001:db8:${reader}::/64` }), day);
    await vi.advanceTimersByTimeAsync(600_000);
    const lost = (lines as unknown as { reason: string; events: number }[]).map(({ reason, events }) => [reason, events] as const);
    const sum = (wanted: RegExp): number => lost.reduce((all, [reason, events]) => all + (wanted.test(reason) ? events : 0), 0);
    expect([told.length, sum(/too many/), sum(/ECONNREFUSED/)]).toEqual([0, 15_000, 5_000]);
  });
});

describe("when the database", () => {
  test("recovers soon, all events are sent", async () => {
    let isAway = true;
    const { collector, told, lines, asked } = beside(() => (isAway ? Promise.reject(away) : Promise.resolve()));
    collector.note(view(), day);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked()).toBeGreaterThan(1);
    collector.note(view({ address: "192.0.2.2" }), day);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([told, lines]).toEqual([[[view()], [view({ address: "192.0.2.2" })]], []]);
  });
  test("stays down, they are dropped and logged without addresses, and later views count", async () => {
    let isAway = true;
    const { collector, told, lines } = beside(() => (isAway ? Promise.reject(away) : Promise.resolve()));
    collector.note(view(), day);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(lines).toEqual([{ event: "counts lost", events: 1, reason: "connect ECONNREFUSED" }]);
    isAway = false;
    collector.note(view(), day);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([[view()]]);
  });
  test("rejects a batch, it isn't retried, and the next is sent", async () => {
    const answers = [() => Promise.reject(Object.assign(new Error("no such function"), { code: "42883" })), () => Promise.resolve()];
    const { collector, told, lines, asked } = beside(() => answers.shift()!());
    collector.note(view(), day);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([asked(), lines]).toEqual([1, [{ event: "counts lost", events: 1, reason: "no such function" }]]);
    collector.note(view({ address: "192.0.2.2" }), day);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([[view({ address: "192.0.2.2" })]]);
  });
});
