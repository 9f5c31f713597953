/**
 * What counting costs those who read: a page that another site led to, and its picture, each time by a reader who was never there, beside the
 * same by readers who ask not to be counted. Asked of the function directly, in turns; the database counts meanwhile.
 * Run: node tests/bench/counting.ts [rounds]. Ends with 1 when a limit is missed.
 */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { startStack } from "../support/stack.ts";
import { fill, longPost, subdomain } from "./reading/content.ts";
import { load, type Result, type Target } from "./reading/load.ts";
import { median, Report } from "./report.ts";

const limits = {
  /** Of the answers without counting, as was promised. */
  share: 0.98,
};
const rounds = Number(process.argv[2] ?? 15);
const roundMs = 1_500;

const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
await fill(sql);

const host = `${subdomain}.localhost`;
let visits = 0;

/** Every other question is for the page, the next for its picture, by the same new reader. */
function readers(dnt: "0" | "1"): Target {
  const first = visits;
  const vary = (nth: number) => {
    const reader = first + Math.floor(nth / 2);
    visits = Math.max(visits, reader + 1);
    const isPicture = nth % 2 === 1;
    const headers = {
      forwarded: `host=${host}`,
      "x-forwarded-for": `2001:db8:${(reader >> 16).toString(16)}:${(reader & 0xffff).toString(16)}::1`,
      "user-agent": `Mozilla/5.0 (X11; Linux x86_64; rv:${reader % 100}.0) Gecko/20100101 Firefox/140.0`,
      "accept-language": "de-AT,de;q=0.9,en;q=0.8",
      "cf-ipcountry": "AT",
      referer: isPicture
        ? `http://${host}/releases/${longPost}`
        : `https://site-${reader % 100}.example/some/page?with=a&query=of%20its%20own`,
      dnt,
    };
    return { path: isPicture ? `/releases/${longPost}.gif` : `/releases/${longPost}`, headers };
  };
  return { port: stack.ports.functions["releases"] ?? 0, host, path: "", vary };
}

/** Microseconds of the processor that the function's process has had until now; Linux only. */
function worked(): number {
  const fields = readFileSync(`/proc/${stack.pids.functions["releases"]}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

interface Slice extends Result {
  /** Microseconds of the function's process for one answer. */
  work: number;
  pictures: number;
}
async function measure(dnt: "0" | "1", ms = roundMs): Promise<Slice> {
  const before = worked();
  const result = await load(readers(dnt), { ms });
  const { 200: answers = 0, ...others } = result.statuses;
  if (Object.keys(others).length > 0) throw new Error(`answers: ${JSON.stringify(result.statuses)}`);
  await wait(1_200); // what is counted last is told before somebody else is asked
  return { ...result, work: (worked() - before) / answers, pictures: Math.floor(answers / 2) };
}

const counted: Slice[] = [];
const uncounted: Slice[] = [];
let told = 0;
try {
  const warm = await measure("0", 4_000); // warms caches and compilers
  await measure("1", 4_000);
  for (let round = 0; round < rounds; round++) {
    const turns = [async () => counted.push(await measure("0")), async () => uncounted.push(await measure("1"))];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  await wait(2_000);
  await sql`select private.roll_up_counts()`;
  const [row] = await sql<{ n: number }[]>`select sum(n)::int as n from public.daily_counts where what = 'view' and post_id is not null`;
  told = row!.n / [warm, ...counted].reduce((sum, { pictures }) => sum + pictures, 0);
} finally {
  await sql.end();
  await stack.stop();
}

const middle = (slices: Slice[], of: "rate" | "p99" | "work"): number => median(slices.map((slice) => slice[of]));
const pair = (of: "rate" | "p99" | "work", unit: string) => ({
  ...{ measured: middle(counted, of), reference: middle(uncounted, of), unit },
  against: "not counted",
});
const report = new Report();
report.compare("answers while all are counted", pair("rate", "/s"), "at least", limits.share);
const { work, p99 } = { work: pair("work", "µs"), p99: pair("p99", "ms") };
report.tell("the function's work for one", work.measured, "µs", `not counted ${work.reference.toFixed(0)} µs`);
report.tell("p99 of those", p99.measured, "ms", `not counted ${p99.reference.toFixed(1)} ms`);
report.tell("of new readers of one workspace are counted", told * 100, "%", "more of one than the database takes are not kept");
report.end();
