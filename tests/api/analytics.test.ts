import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import {
  type Analytics,
  analyticsEndpoints,
  analyticsTables,
  analyticsTotals,
  type AnalyticsTotals,
  rangeMeant,
} from "#contract/analytics.ts";
import { analyticsColumns } from "#contract/analytics-csv.ts";
import { fromCell, parseCsv } from "#contract/csv.ts";
import { roles } from "#contract/kinds.ts";
import { rateLimits } from "#contract/rate-limits.ts";
import { v1StatsEndpoints } from "#contract/v1/stats.ts";
import { type Answer, as, Client } from "./support/client.ts";
import { newKey, newPerson, newPost, newTeam, type Person, sql, type Team } from "./support/people.ts";
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
  test("are the same for every role", async () => {
    const ofTheOwner = await read(january, team.owner);
    expect(ofTheOwner.totals).toEqual({
      ...{ views: 27, readers: 6, widget_opens: 9, clicks: 2, widget_shown: 40, mails_sent: 110, mails_followed: 3 },
      ...{ subscribed: 3, left: 1 },
    });
    for (const role of roles) expect(await read(january, team[role])).toEqual(ofTheOwner);
  });

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

  test("stand in the files as on the page, no cell of them a formula", async () => {
    const page = await read();
    for (const table of analyticsTables) {
      const answer = await team.viewer.api.get<string>(path(`.csv?table=${table}&${january}`));
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
        200,
        "text/csv; charset=utf-8",
        `attachment; filename="analytics-${team.subdomain}-${table}-2026-01-01-2026-01-31.csv"`,
      ]);
      const [head, ...lines] = [...parseCsv(answer.body as unknown as string)].map(({ cells }) => cells);
      expect(head).toEqual(analyticsColumns[table]);
      expect(lines.flat().filter((cell) => /^[=+\-@]/.test(cell))).toEqual([]);
      const rows: object[] = page[table];
      expect(lines.map((cells) => cells.map(fromCell))).toEqual(
        rows.map((row) => head!.map((name) => String((row as Record<string, unknown>)[name] ?? ""))),
      );
    }
    const file = (await team.viewer.api.get(path(`.csv?${january}`))).body as unknown as string; // posts, where no table is named
    expect(file).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  });

  test("are told to programs as to people", async () => {
    const program = (await newKey(team.owner, team.workspaceId, { scopes: ["stats:read"] })).api;
    const stats = async (query: string) => as(v1StatsEndpoints.read, await program.get(`/api/v1/stats${query}`));
    const { analytics, ...rest } = await stats(`?${january}`);
    expect(analytics).toEqual(await read());
    expect(await stats("")).toEqual({ ...rest, analytics: null });
  });

  test("of a post are its line on the page, by day and by source", async () => {
    const { totals, days, sources } = as(analyticsEndpoints.post, await team.viewer.api.get(path(`/posts/${posts.loud}?${january}`)));
    expect((await read()).posts.find(({ id }) => id === posts.loud)).toMatchObject(totals);
    expect(totals).toEqual({ views: 12, widget_opens: 4, clicks: 2, mails_sent: 100, mails_followed: 3 });
    expect([days.length, sum(days.map(({ views }) => views)), sum(sources.map(({ views }) => views))]).toEqual([31, 12, 12]);
  });

  test("without a range are those of the last 30 days", async () => {
    const before = rangeMeant({}, new Date());
    const { from, to, days } = await read("");
    expect([before, rangeMeant({}, new Date())]).toContainEqual({ from, to });
    expect(days).toHaveLength(30);
    const file = await team.viewer.api.get(path(".csv?table=days"));
    expect([...parseCsv(file.body as unknown as string)]).toHaveLength(31);
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

describe("who reads them", () => {
  const addresses = () => [path(`?${january}`), path(`/posts/${posts.loud}?${january}`), path(`.csv?${january}`)];

  test("nobody without a session, or with one that has ended", async () => {
    const gone = await newPerson();
    await sql`insert into public.members (workspace_id, user_id, role) values (${team.workspaceId}, ${gone.id}, 'admin')`;
    for (const address of addresses()) expect((await gone.api.get(address)).status).toBe(200);
    await sql`delete from auth.sessions where id = ${gone.id}`;
    for (const address of addresses())
      for (const client of [new Client(stack.url), gone.api])
        expect(refusal(await client.get(address))).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test("nobody of another workspace, whether or not it has the add-on", async () => {
    for (const address of addresses())
      expect(refusal(await other.owner.api.get(address))).toMatchObject({ status: 404, code: "not_found" });
    const without = await newTeam();
    expect(refusal(await other.owner.api.get(path("", without)))).toMatchObject({ status: 404, code: "not_found" });
  });

  test("nobody where the add-on is missing; programs get null", async () => {
    const without = await newTeam();
    const { id } = await newPost(without.editor, without.workspaceId);
    for (const rest of ["", `/posts/${id}`, ".csv"])
      for (const role of roles)
        expect(refusal(await without[role].api.get(path(rest, without)))).toMatchObject({ status: 403, code: "add_on_required" });
    const program = (await newKey(without.owner, without.workspaceId)).api;
    expect(as(v1StatsEndpoints.read, await program.get(`/api/v1/stats?${january}`)).analytics).toBeNull();
  });

  test("no post but their own", async () => {
    for (const id of [posts.theirs, randomUUID(), "1", "not-a-uuid", "%00"])
      expect(refusal(await team.owner.api.get(path(`/posts/${id}?${january}`)))).toMatchObject({ status: 404, code: "not_found" });
    for (const id of ["1", "not-a-uuid", "%00"])
      for (const rest of ["", ".csv"])
        expect(refusal(await team.owner.api.get(`/api/workspaces/${id}/analytics${rest}`))).toMatchObject({ status: 404 });
  });
});

describe("a range that is none", () => {
  const day = "Please use a day such as 2026-01-31";
  test.each<[string, Record<string, string>]>([
    ["from=2026-01-31&to=2026-01-01", { to: "The last day must not be before the first" }],
    ["from=2016-01-31&to=2026-01-31", { from: "Please choose at most three years" }],
    ["from=2026-01-31", { to: "Please give both days" }],
    ["to=2026-01-31", { from: "Please give both days" }],
    ["from=2026-02-30&to=2026-03-01", { from: day }],
    ["from=abc&to=2026-01-31", { from: day }],
    ["from=&to=", { from: day, to: day }],
    ["from=2026-01-01T00%3A00%3A00%2B02%3A00&to=2026-01-31", { from: day }],
    ["from=1999-12-31&to=2000-01-31", { from: "Please choose a day after 1999" }],
    ["from=2999-12-31&to=3000-01-01", { to: "Please choose a day before 3000" }],
  ])("%s is refused at the field", async (query, fields) => {
    const invalid = { status: 422, code: "validation_failed", fields };
    const program = (await newKey(team.owner, team.workspaceId, { scopes: ["stats:read"] })).api;
    for (const rest of ["", `/posts/${posts.loud}`, ".csv"])
      expect(refusal(await team.viewer.api.get(path(`${rest}?${query}`)))).toEqual(invalid);
    expect(refusal(await program.get(`/api/v1/stats?${query}`))).toEqual(invalid);
  });

  test("and a table that there is not are refused", async () => {
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
