import { fc } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { analytics as answerShape, daysIn, postAnalytics, type Analytics, type AnalyticsTotals } from "#contract/analytics.ts";
import { connect } from "./support/database.ts";
import { browser, buyAnalytics, countedThen, type CountRow, numbers, openWithPost } from "./support/reading.ts";
import { outcome } from "./support/refusal.ts";
import { everybody, inDays, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();
const day = (ago: number): string => inDays(-ago).toISOString().slice(0, 10);
const today = day(0);

const ask = async (world: World, from: string | null = null, to: string | null = null, person: Person = "viewer"): Promise<Analytics> =>
  answerShape.parse(await numbers(world, person, from, to));
const askOfPost = async ({ as, acme }: World, post: string, from: string | null = null, to: string | null = null, person: Person = "viewer") =>
  postAnalytics.parse((await as(person, (me) => me`select public.post_analytics(${acme}, ${post}, ${from}, ${to}) as answer`))[0]!.answer);
/** What a test says of totals; the rest is nothing. */
const totals = (known: Partial<AnalyticsTotals>): AnalyticsTotals => ({
  ...{ views: 0, readers: 0, widget_opens: 0, clicks: 0, widget_shown: 0, mails_sent: 0, mails_followed: 0, subscribed: 0, left: 0 },
  ...known,
});

describe("whoever asks", () => {
  test.each(everybody)("%s needs the membership and the add-on", (person) =>
    inWorld(sql, async (world) => {
      const { post } = await openWithPost(world);
      const member = person !== "rival" && person !== "stranger";
      expect(await outcome(numbers(world, person))).toBe(member ? "add_on_required" : "not_found");
      expect(await outcome(askOfPost(world, post.id, null, null, person))).toBe(member ? "add_on_required" : "not_found");
      await buyAnalytics(world);
      expect(await outcome(ask(world, null, null, person))).toBe(member ? "allowed" : "not_found");
      expect(await outcome(askOfPost(world, post.id, null, null, person))).toBe(member ? "allowed" : "not_found");
    })(),
  );

  test(
    "finds nothing when his session has ended",
    inWorld(sql, async (world) => {
      await buyAnalytics(world);
      await world.tx`delete from auth.sessions where user_id = ${world.people.viewer}`;
      expect(await outcome(numbers(world, "viewer"))).toBe("unauthenticated");
    }),
  );

  test(
    "learns nothing of a post of another workspace, nor of one that is not there",
    inWorld(sql, async (world) => {
      await buyAnalytics(world);
      const foreign = await world.post({ workspace_id: world.globex, status: "published" });
      expect(await outcome(askOfPost(world, foreign.id))).toBe("not_found");
      expect(await outcome(askOfPost(world, world.acme))).toBe("not_found");
    }),
  );
});
