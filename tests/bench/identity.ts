/**
 * What the rule of second factor and single sign-on costs a statement: with the schema's functions, and with the same functions without the rule, by
 * turns in one session. Measures the CPU time of its Postgres process, since waiting for a busy CPU says nothing. Linux only. Run:
 * node tests/bench/identity.ts. Exits with 1 if it costs more than the limit.
 */
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { load, memberOfMany, memberOfOne } from "./database/load.ts";
import { type Question, questions } from "./database/questions.ts";
import { inPairs, median, Report } from "./report.ts";

const limit = 1.03;
const [rounds, warmUps, runs] = [20, 15, 50];
const asked = ["list of 20", "list of 20 by PostgREST", "count by PostgREST", "dashboard", "upcoming", "one post", "my workspaces"];

/** The rule in each function, and what stands there without it. */
const rules: Record<string, [RegExp, string][]> = {
  "private.my_id()": [
    [/select exists \(select from private\.factors[^)]+\) into has_factor/, "perform"],
    [/ and \(not has_factor or private\.is_verified\(me, private\.session_id\(\)\)\)/, ""],
    [/ and private\.access_gap\(me, k\.workspace_id\) is null/, ""],
  ],
  "private.my_workspace_ids(public.member_role[], boolean)": [
    [/\s+and not exists \(select from public\.workspaces w[^;]+ is not null\)(?=;)/, ""],
  ],
  "private.my_role(uuid)": [[/\s+and not exists \(select from public\.workspaces w[^;]+ is not null\)/, ""]],
};

const report = new Report();
const ratios: number[] = [];
const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
const pid = (await sql`select pg_backend_pid() as pid`)[0]!.pid as number;
try {
  await load(sql, { from: 1, to: 100, posts: 200 });
  const { withRule, without } = await definitions();
  for (const question of questions.filter(({ name }) => asked.includes(name))) {
    for (const person of [memberOfOne, memberOfMany]) {
      const times = { withRule: [] as number[], without: [] as number[] };
      for (let round = 0; round < rounds; round += 1) {
        for (const kind of round % 2 ? (["withRule", "without"] as const) : (["without", "withRule"] as const)) {
          await sql.unsafe(kind === "withRule" ? withRule : without);
          times[kind].push(await timeOf({ ...question, person }));
        }
      }
      const name = `${question.name}, ${person === memberOfOne ? "one workspace" : "50 workspaces"}`;
      const pair = inPairs(times.withRule, times.without, "ms", "without the rule");
      report.tellRatio(name, pair);
      ratios.push(pair.ratio!);
    }
  }
  report.judge("median of these statements", median(ratios), "at most", limit, "×");
  report.end();
} finally {
  await sql.end();
  await stack.stop();
}

/** Of one statement, of many sent at once in one transaction. */
async function timeOf({ person, statement }: Question): Promise<number> {
  const claims = JSON.stringify({ sub: person, session_id: person, role: "authenticated" });
  return await sql.begin(async (tx) => {
    await tx`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
    const run = (times: number) => Promise.all(Array.from({ length: times }, () => tx.unsafe(statement)));
    await run(warmUps);
    const began = cpuTime();
    await run(runs);
    return (cpuTime() - began) / runs;
  });
}

/** Milliseconds on a CPU. Source: Linux' documentation of /proc, sched-stats. */
function cpuTime(): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

/** Statements that install the functions with and without the rule. */
async function definitions(): Promise<{ withRule: string; without: string }> {
  const found: string[] = [];
  const stripped: string[] = [];
  for (const [name, parts] of Object.entries(rules)) {
    const [row] = await sql`select pg_get_functiondef(${name}::regprocedure) as body`;
    found.push(row!.body);
    stripped.push(
      parts.reduce((body, [rule, instead]) => {
        if (!rule.test(body)) throw new Error(`${name} has no ${rule}`);
        return body.replace(rule, instead);
      }, row!.body as string),
    );
  }
  return { withRule: found.join(";"), without: stripped.join(";") };
}
