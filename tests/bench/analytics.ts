/**
 * What the analytics page asks, at three years × 2,000 posts × 5 sources with 50 names of each kind a day, and how long a million events take to
 * become sums: both in Postgres, in turns with a plain query and a plain count of the same million. Usage: node tests/bench/analytics.ts [runs].
 * Ends with 1 when a figure misses its limit.
 */
import postgres from "postgres";
import { analytics } from "#contract/analytics.ts";
import { startStack } from "../support/stack.ts";
import { loadCounts, loadQueue } from "./analytics/load.ts";
import { loadWorkspace } from "./dashboard/load.ts";
import { inPairs, quantile, Report } from "./report.ts";

const runs = Number(process.argv[2] ?? 20);
const sources = ["page", "widget", "mail", "feed", "chat"];
const [days, posts, events] = [1_096, 2_000, 1_000_000];
const limits = {
  /** 10 s where a plain count of the same million takes 4. */
  rollUp: 2.5,
};
const report = new Report();

const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
try {
  const { workspaceId } = await loadWorkspace(stack, { members: 1, posts });
  const rows = await loadCounts(sql, workspaceId, { days, sources, names: 50 });
  report.tell("rows of the workspace", rows, "rows");
  const [member] = await sql`select user_id from public.members where workspace_id = ${workspaceId}`;
  await sql`insert into auth.sessions (id, user_id) values (${member!.user_id}, ${member!.user_id})`;

  for (const [name, length, limit] of [
    ["7 days", 7, 0.7],
    ["30 days", 30, 0.8],
    ["90 days", 90, 1],
    ["12 months", 365, 1.8],
    ["3 years", days, 3.8],
    ["3 years but a few days, within months", days - 17, 4],
  ] as const) {
    const times = { ours: [] as number[], plain: [] as number[] };
    for (let run = -5; run < runs; run++) {
      const began = performance.now();
      const answer = await page(workspaceId, member!.user_id as string, length);
      const answered = performance.now();
      await sql`select sum(n), count(distinct n % 1000) from generate_series(1, 200000) as n`;
      if (run >= 0) {
        times.ours.push(answered - began);
        times.plain.push(performance.now() - answered);
      } else if (answer.days.length !== length || answer.posts.length !== posts) throw new Error("not the workspace meant");
    }
    const pair = inPairs(times.ours, times.plain, "ms", "plain query");
    report.compare(`the page's data, ${name}`, pair, "at most", limit, `p95 ${quantile(times.ours, 0.95).toFixed(0)} ms`);
  }

  await sql`create unlogged table public.plain_events (id bigint primary key, workspace_id uuid, post_id uuid, what text, day date, source text)`;
  await sql`create table public.plain_sums (post_id uuid, what text, day date, source text, n int)`;
  for (const name of ["a day's first million events", "a million more of the same day"]) {
    const { taken, measured, reference } = await rollUp(workspaceId);
    if (taken !== events) throw new Error(`${taken} of ${events} were rolled up`);
    report.compare(`roll-up of ${name}`, { measured, reference, unit: "s", against: "a plain count" }, "at most", limits.rollUp);
  }
  report.tell("roll-up when there is nothing", (await timed(() => sql`select private.roll_up_counts()`)) * 1_000, "ms");
  report.end();
} finally {
  await sql.end();
  await stack.stop();
}

/** Asked as the API does, in a transaction with role and claims; of so many days, the last of them today. */
async function page(workspaceId: string, person: string, length: number) {
  return await sql.begin(async (tx) => {
    const claims = JSON.stringify({ sub: person, session_id: person, role: "authenticated" });
    await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
    const [row] = await tx`select public.analytics(${workspaceId}, d.today - ${length - 1}::int, d.today) as answer
      from (select (now() at time zone 'utc')::date as today) as d`;
    return row!.answer as ReturnType<typeof analytics.parse>;
  });
}

/** A million events become sums, in one transaction with their arrival: else the ticker would take them. Seconds, and those of the plain count. */
async function rollUp(workspaceId: string) {
  return await sql.begin(async (tx) => {
    await loadQueue(tx, workspaceId, { events, sources });
    await tx`insert into public.plain_events select id, workspace_id, post_id, what, day, source from private.count_queue`;
    await tx`analyze public.plain_events`;
    const reference = await timed(
      () => tx`with gone as (delete from public.plain_events where id > 0 returning *)
        insert into public.plain_sums select post_id, what, day, source, count(*) from gone group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    );
    let taken = 0;
    const measured = await timed(async () => {
      taken = (await tx`select private.roll_up_counts() as taken`)[0]!.taken as number;
    });
    return { taken, measured, reference };
  });
}

/** Seconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}
