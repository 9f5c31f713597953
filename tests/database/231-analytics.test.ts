import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { analytics as answerShape, postAnalytics, type Analytics, type AnalyticsTotals } from "#contract/analytics.ts";
import { buyAnalytics, countedThen, type CountRow, numbers, openWithPost } from "./support/reading.ts";
import { outcome } from "./support/refusal.ts";
import { inDays, pastMidnight, type Person, type World, test } from "./support/world.ts";

const day = (ago: number): string => inDays(-ago).toISOString().slice(0, 10);
await pastMidnight(); // not in a hook: the cases need today too
const today = day(0);

const ask = async (world: World, from: string | null = null, to: string | null = null, person: Person = "viewer"): Promise<Analytics> =>
  answerShape.parse(await numbers(world, person, from, to));
const askOfPost = async (
  { as, acme }: World,
  post: string,
  from: string | null = null,
  to: string | null = null,
  person: Person = "viewer",
) =>
  postAnalytics.parse(
    (await as(person, (me) => me`select public.post_analytics(${acme}, ${post}, ${from}::text::date, ${to}::text::date) as answer`))[0]!
      .answer,
  );
const totals = (known: Partial<AnalyticsTotals>): AnalyticsTotals => ({
  ...{ views: 0, readers: 0, widget_opens: 0, clicks: 0, widget_shown: 0, mails_sent: 0, mails_followed: 0, subscribed: 0, left: 0 },
  ...known,
});

describe("a user", () => {
  test("gets no numbers for an unknown post or one of another workspace", async ({ world }) => {
    await buyAnalytics(world);
    const foreign = await world.post({ workspace_id: world.globex, status: "published" });
    expect(await outcome(askOfPost(world, foreign.id))).toBe("not_found");
    expect(await outcome(askOfPost(world, world.acme))).toBe("not_found");
  });
});
describe("analytics", () => {
  test("count days in UTC, whatever the session's time zone", async ({ world }) => {
    const { told, rollUp } = await openWithPost(world);
    await buyAnalytics(world);
    const [utc] = await world.tx`select (now() at time zone 'utc')::date::text as day`;
    for (const [index, zone] of ["Pacific/Kiritimati", "Pacific/Pago_Pago"].entries()) {
      await world.tx`select set_config('timezone', ${zone}, true)`;
      await told({ address: `198.51.100.${index}` });
      await rollUp();
      const { days, totals: sums } = await ask(world, null, null);
      expect([days.at(-1)!.day, days.at(-1)!.views, sums.views]).toEqual([utc!.day, index + 1, index + 1]);
    }
  });

  test("keep the totals of deleted posts, and list no deleted post", async ({ world }) => {
    const { post, told, rollUp } = await openWithPost(world);
    await buyAnalytics(world);
    const others = await Promise.all(["One", "Two"].map((title) => world.post({ title, status: "published" })));
    await told({}, { slug: others[0]!.slug, source: "mail" }, { slug: others[1]!.slug }, { slug: others[1]!.slug, address: "203.0.113.8" });
    await rollUp();
    const before = await ask(world);
    await world.tx`delete from public.posts where id = any (${others.map(({ id }) => id)})`;
    const after = await ask(world);
    expect([after.totals, after.sources, after.days]).toEqual([before.totals, before.sources, before.days]);
    expect(after.posts).toEqual([
      { id: null, title: "", slug: null, published_at: null, views: 3, widget_opens: 0, clicks: 0, mails_sent: 0, mails_followed: 1 },
      before.posts.find(({ id }) => id === post.id),
    ]);
    const [row] = await world.as(
      "viewer",
      (me) => me`select public.dashboard(${world.acme}) -> 'views' as views,
        public.workspace_stats(${world.acme}) -> 'views' as stats`,
    );
    expect(row).toMatchObject({ views: 4, stats: { total: 4, posts: [{ id: post.id, views: 1 }] } });
    expect(await outcome(askOfPost(world, others[0]!.id))).toBe("not_found");
  });

  test("list the top fifty of each kind, and countries of at least five readers; the rest is summed up", async ({ world }) => {
    await buyAnalytics(world);
    const named = (what: string, amount: number) =>
      Array.from({ length: amount }, (_, index) => ({
        day: day(index % 3),
        what,
        source: `n${String(index).padStart(2, "0")}`,
        n: 100 - index,
      }));
    await countedThen(world, [
      ...named("referrer", 52),
      ...named("search_none", 50),
      { day: today, what: "search_none", source: "other", n: 7 },
      ...named("language", 1),
      ...[6, 5, 4, 3].map((n, index) => ({ day: today, what: "country", source: ["DE", "FR", "IT", "ES"][index]!, n })),
      { day: day(1), what: "country", source: "IT", n: 1 },
    ]);
    const answer = await ask(world);
    expect(answer.referrers).toHaveLength(51);
    expect([answer.referrers[0], answer.referrers[49], answer.referrers[50]]).toEqual([
      { name: "n00", count: 100 },
      { name: "n49", count: 51 },
      { name: "other", count: 50 + 49 },
    ]);
    expect([answer.searches.length, answer.searches.at(-1)]).toEqual([51, { name: "other", count: 7 }]);
    expect(answer.languages).toEqual([{ name: "n00", count: 100 }]);
    expect(answer.countries).toEqual([
      { name: "DE", count: 6 },
      { name: "FR", count: 5 },
      { name: "IT", count: 5 },
      { name: "other", count: 3 },
    ]);
  });
});

describe("for random events and days", () => {
  const whats = ["view", "link_click", "mail_sent", "subscribed", "widget_open"] as const;
  const row = fc.record({
    ago: fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 1_500 })),
    post: fc.integer({ min: 0, max: 3 }),
    what: fc.constantFrom(...whats),
    source: fc.constantFrom("page", "widget", "mail"),
    n: fc.integer({ min: 1, max: 9 }),
  });
  const range = fc.record({
    last: fc.oneof(fc.integer({ min: -40, max: 70 }), fc.integer({ min: 0, max: 1_200 })),
    length: fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 1_096 })),
  });

  test("totals, days, posts and sources equal the plain sums, and each other", async ({ world }) => {
    await buyAnalytics(world);
    const posts = await Promise.all([0, 1, 2].map((index) => world.post({ title: `Post ${index}`, status: "published" })));
    const ids = [...posts.map(({ id }) => id), null];
    const [rows] = fc.sample(fc.array(row, { minLength: 1_500, maxLength: 1_500 }), { numRuns: 1, seed: 20 });
    const counted = rows!.map(({ ago, post, what, source, n }): CountRow => ({
      ...{ day: day(ago), what, source, n },
      post_id: what === "subscribed" || what === "widget_open" ? null : (ids[post] ?? null),
    }));
    for (let from = 0; from < counted.length; from += 500) await countedThen(world, counted.slice(from, from + 500));

    const sum = (fits: (one: CountRow) => boolean): number => counted.filter(fits).reduce((all, { n }) => all + n, 0);
    await fc.assert(
      fc.asyncProperty(range, async ({ last, length }) => {
        const [from, to] = [day(last + length - 1), day(last)];
        const within = (one: CountRow) => one.day >= from && one.day <= to;
        const of = (what: string, fits: (one: CountRow) => boolean = within) => sum((one) => one.what === what && fits(one));
        const answer = await ask(world, from, to);
        const mailed = (one: CountRow) => one.source === "mail";
        expect(answer.totals).toEqual(
          totals({
            ...{ views: of("view"), clicks: of("link_click"), mails_sent: of("mail_sent"), subscribed: of("subscribed") },
            ...{ widget_opens: of("widget_open"), mails_followed: of("view", (one) => within(one) && mailed(one)) },
          }),
        );
        const former = (one: CountRow) => one.day < from && one.day >= day(last + 2 * length - 1);
        expect([answer.previous.views, answer.previous.subscribed]).toEqual([of("view", former), of("subscribed", former)]);
        expect(answer.days.map(({ views }) => views)).toEqual(answer.days.map((one) => of("view", (counts) => counts.day === one.day)));
        expect(Object.fromEntries(answer.sources.map(({ source, views }) => [source, views]))).toEqual(
          Object.fromEntries(
            ["page", "widget", "mail"]
              .map((source) => [source, of("view", (one) => within(one) && one.source === source)] as const)
              .filter(([, views]) => views > 0),
          ),
        );
        for (const { id } of posts) {
          const own = (one: CountRow) => within(one) && one.post_id === id;
          const expected = {
            ...{ views: of("view", own), clicks: of("link_click", own), mails_sent: of("mail_sent", own) },
            widget_opens: of("view", (one) => own(one) && one.source === "widget"),
            mails_followed: of("view", (one) => own(one) && mailed(one)),
          };
          const placed = { placement_shown: 0, placement_dismissed: 0, placement_clicked: 0 };
          const { views, clicks, mails_sent } = expected;
          const told = answer.posts.find((one) => one.id === id);
          if (views + clicks + mails_sent === 0) expect(told).toBeUndefined();
          else expect(told).toMatchObject(expected);
          expect((await askOfPost(world, id, from, to)).totals).toEqual({ ...expected, ...placed });
        }
        expect(answer.posts.map(({ views }) => views)).toEqual(answer.posts.map(({ views }) => views).toSorted((a, b) => b - a));
      }),
      { numRuns: 60, seed: Number(process.env.ORACLE_SEED ?? 2026) },
    );
  });

  test("a range is split into the fewest spans, with each day once", async ({ world: { tx } }) => {
    await fc.assert(
      fc.asyncProperty(range, async ({ last, length }) => {
        const [from, to] = [day(last + length - 1), day(last)];
        const spans = await tx<{ span: string; from: string; to: string; sign: number }[]>`
            select span, from_day::text as from, to_day::text as to, sign from private.count_spans(${from}, ${to})`;
        const times = new Map<string, number>();
        let single = 0;
        for (const one of spans) {
          const end =
            one.span === "month" ? new Date(Date.UTC(+one.to.slice(0, 4), +one.to.slice(5, 7), 0)).toISOString().slice(0, 10) : one.to;
          for (let at = Date.parse(one.from); at <= Date.parse(end); at += 86_400_000) {
            const name = new Date(at).toISOString().slice(0, 10);
            times.set(name, (times.get(name) ?? 0) + one.sign);
            if (one.span === "day" && name <= today) single += 1;
          }
        }
        const covered = [...times].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(covered.every(([, amount]) => amount === 1)).toBe(true);
        expect([covered.length, covered[0]![0], covered.at(-1)![0]]).toEqual([length, from, to]);
        expect(single).toBeLessThanOrEqual(30); // half a month at either end
      }),
      { numRuns: 200, seed: 20 },
    );
  });
});
