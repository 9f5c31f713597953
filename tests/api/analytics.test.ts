import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Analytics, analyticsEndpoints, analyticsTotals, type AnalyticsTotals } from "#contract/analytics.ts";
import { rateLimits } from "#contract/rate-limits.ts";
import { type Answer, as, Client } from "./support/client.ts";
import { newPost, newTeam, type Person, sql, type Team } from "./support/people.ts";
import { startFunction } from "./support/second-function.ts";

const stack = inject("stack");
const january = "from=2026-01-01&to=2026-01-31";
const formula = '=HYPERLINK("http://evil.example","x")';

let team: Team;
let other: Team;
let posts: { loud: string; quiet: string; theirs: string };
const path = (rest = "", { workspaceId } = team) => `/api/workspaces/${workspaceId}/analytics${rest}`;
const read = async (query = january, person: Person = team.viewer): Promise<Analytics> =>
  as(analyticsEndpoints.read, await person.api.get(path(`?${query}`)));
const refusal = ({ status, body }: Answer) => ({ status, code: body.code, fields: body.fields });

type Count = [what: string, day: string, source: string, n: number, post?: string | null];

/** Numbers, on the way that all of them take. */
async function count({ workspaceId }: Team, counts: Count[]): Promise<void> {
  const rows = counts.map(([what, day, source, n, post = null]) => ({ workspace_id: workspaceId, what, day, source, n, post_id: post }));
  await sql`insert into private.count_queue ${sql(rows, "workspace_id", "what", "day", "source", "n", "post_id")}`;
  await sql`select private.roll_up_counts()`;
}

beforeAll(async () => {
  [team, other] = [await newTeam(), await newTeam()];
  for (const { workspaceId } of [team, other])
    await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${workspaceId}, 'analytics')`;
  const loud = (await newPost(team.editor, team.workspaceId, { title: formula, status: "published" })).id;
  const quiet = (await newPost(team.editor, team.workspaceId, { title: "Quiet", status: "published" })).id;
  const theirs = (await newPost(other.editor, other.workspaceId, { title: "Theirs", status: "published" })).id;
  posts = { loud, quiet, theirs };
  await count(team, [
    ["view", "2026-01-01", "page", 5, loud],
    ["view", "2026-01-01", "widget", 4, loud],
    ["view", "2026-01-31", "mail", 3, loud],
    ["view", "2026-01-31", "feed", 2, quiet],
    ["view", "2025-12-31", "page", 7, quiet],
    ["view", "2026-02-01", "page", 11, quiet],
    ["view", "2026-01-15", "page", 13, randomUUID()], // of a post that is there no more
    ["reader", "2026-01-01", "page", 6],
    ["link_click", "2026-01-02", "widget", 2, loud],
    ["widget_shown", "2026-01-02", "widget", 40],
    ["widget_open", "2026-01-02", "widget", 9],
    ["mail_sent", "2026-01-03", "mail", 100, loud],
    ["mail_sent", "2026-01-04", "mail", 10],
    ["subscribed", "2026-01-05", "page", 3],
    ["left", "2026-01-06", "mail", 1],
    ["referrer", "2026-01-07", "news.example", 8],
    ["search_none", "2026-01-08", "=1+1", 2],
    ["search_none", "2026-01-08", 'dark, "mode"', 1],
    ["country", "2026-01-09", "DE", 6],
    ["country", "2026-01-09", "LI", 4],
    ["language", "2026-01-10", "de", 6],
  ]);
  await count(other, [["view", "2026-01-01", "page", 1_000, theirs]]);
});

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const added = (rows: readonly AnalyticsTotals[]) =>
  Object.fromEntries(Object.keys(analyticsTotals.shape).map((name) => [name, sum(rows.map((row) => row[name as keyof AnalyticsTotals]))]));

describe("the numbers of a range", () => {
  test("are those of the days, the posts and the sources, added up; days outside are not in them", async () => {
    const page = await read();
    expect([page.from, page.to, page.since]).toEqual(["2026-01-01", "2026-01-31", "2025-12-31"]);
    expect(page.days.map(({ day }) => day)).toEqual(Array.from({ length: 31 }, (_, n) => `2026-01-${String(n + 1).padStart(2, "0")}`));
    expect(added(page.days)).toEqual(page.totals);
    expect(sum(page.posts.map(({ views }) => views))).toBe(page.totals.views);
    expect(sum(page.sources.map(({ views }) => views))).toBe(page.totals.views);
    expect(page.previous).toMatchObject({ views: 7, readers: 0 });
    expect(page.posts.map(({ id, title, views, mails_sent }) => [id, title, views, mails_sent])).toEqual([
      [null, "", 13, 0],
      [posts.loud, formula, 12, 100],
      [posts.quiet, "Quiet", 2, 0],
    ]);
    expect(page.sources).toEqual([
      { source: "page", views: 18 },
      { source: "widget", views: 4 },
      { source: "mail", views: 3 },
      { source: "feed", views: 2 },
    ]);
    expect(page.countries).toEqual([
      { name: "DE", count: 6 },
      { name: "other", count: 4 },
    ]);
  });

  test("agree with each other while more is counted", async () => {
    const busy = await newTeam();
    await sql`insert into public.workspace_add_ons (workspace_id, add_on) values (${busy.workspaceId}, 'analytics')`;
    const { id } = await newPost(busy.editor, busy.workspaceId, { status: "published" });
    const rounds = 20;
    let counting = true;
    const counted = (async () => {
      for (let round = 0; round < rounds; round += 1) await count(busy, [["view", "2026-01-31", round % 2 ? "page" : "feed", 1, id]]);
      counting = false;
    })();
    const seen: number[] = [];
    do {
      const page = as(analyticsEndpoints.read, await busy.viewer.api.get(path(`?${january}`, busy)));
      const sums = [page.days, page.posts, page.sources].map((rows) => sum(rows.map(({ views }) => views)));
      expect(sums).toEqual(Array(3).fill(page.totals.views));
      seen.push(page.totals.views);
    } while (counting);
    await counted;
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(as(analyticsEndpoints.read, await busy.viewer.api.get(path(`?${january}`, busy))).totals.views).toBe(rounds);
  });
});

describe("a table that there is not", () => {
  test("is refused", async () => {
    expect(refusal(await team.viewer.api.get(path(".csv?table=members")))).toEqual({
      status: 422,
      code: "validation_failed",
      fields: { table: "Please choose from the list" },
    });
  });
});

test("files are limited for each person, others go on", async () => {
  const tenth = await startFunction(stack, "api", { RATE_LIMIT_SCALE: "0.1" });
  const ask = ({ token }: Person) => new Client(tenth.url, token).get(path(`.csv?${january}`));
  for (let taken = 0; taken < rateLimits.export.person.size / 10; taken += 1) expect((await ask(team.editor)).status).toBe(200);
  expect(refusal(await ask(team.editor))).toMatchObject({ status: 429, code: "rate_limited" });
  expect((await ask(team.viewer)).status).toBe(200);
  await tenth.stop();
});
