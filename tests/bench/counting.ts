/**
 * What counting costs those who read: a page that another site led to, and its picture, beside the same by readers who ask not to be counted, in
 * turns. Once through the gateway by readers who come again and again, as a busy page has them; and once of the function directly by readers who
 * were never there, each of which the database has to count: no page has only such readers, so that is told and not judged.
 * Run: node tests/bench/counting.ts [rounds]. Ends with 1 when a limit is missed.
 */
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { processesOf } from "../faults/support/processes.ts";
import { startStack } from "../support/stack.ts";
import { processorMs } from "./plain/processor.ts";
import { fill, longPost, subdomain } from "./reading/content.ts";
import { load, type Result, type Target } from "./reading/load.ts";
import { inPairs, Report } from "./report.ts";

const limits = {
  /** Of the answers without counting, as was promised. */
  share: 0.98,
};
const rounds = Number(process.argv[2] ?? 15);
const roundMs = 1_500;
/** Readers that come again; from one network a thousand count a day. */
const regulars = 400;

const stack = await startStack();
const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
await fill(sql);

type Wish = "0" | "1";
/** Every other question is for the page, the next for its picture, by the same reader. */
function visit(host: string, reader: number, nth: number, dnt: Wish) {
  const isPicture = nth % 2 === 1;
  const headers = {
    "user-agent": `Mozilla/5.0 (X11; Linux x86_64; rv:${reader}.0) Gecko/20100101 Firefox/140.0`,
    "accept-language": "de-AT,de;q=0.9,en;q=0.8",
    referer: isPicture
      ? `http://${host}/releases/${longPost}`
      : `https://site-${reader % 100}.example/some/page?with=a&query=of%20its%20own`,
    dnt,
  };
  return { path: isPicture ? `/releases/${longPost}.gif` : `/releases/${longPost}`, headers };
}
const again = (dnt: Wish): Target => {
  const host = `${subdomain}.localhost:${stack.ports.gateway}`;
  return { port: stack.ports.gateway, host, path: "", vary: (nth) => visit(host, Math.floor(nth / 2) % regulars, nth, dnt) };
};
let newcomers = 0;
const never = (dnt: Wish): Target => {
  const host = `${subdomain}.localhost`;
  const first = newcomers;
  const vary = (nth: number) => {
    const reader = first + Math.floor(nth / 2);
    newcomers = Math.max(newcomers, reader + 1);
    const { path, headers } = visit(host, reader % 100, nth, dnt);
    const address = `2001:${(0xdb8 + (reader >> 16)).toString(16)}:${(reader & 0xffff).toString(16)}::1`; // each from a site of its own
    return { path, headers: { ...headers, forwarded: `host=${host}`, "x-forwarded-for": address, "cf-ipcountry": "AT" } };
  };
  return { port: stack.ports.functions["releases"] ?? 0, host, path: "", vary };
};

interface Slice extends Result {
  /** Microseconds of the processor for one answer: of the function, and of all that has a part in it, the counting afterwards included. */
  work: number;
  allWork: number;
  pictures: number;
}
async function measure(target: Target, ms = roundMs): Promise<Slice> {
  const processes = processesOf(stack);
  const worked = (): number => processorMs([stack.pids.functions["releases"]!]) * 1_000;
  const [before, allBefore] = [worked(), processorMs(processes) * 1_000];
  const result = await load(target, { ms });
  const { 200: answers = 0, ...others } = result.statuses;
  if (Object.keys(others).length > 0) throw new Error(`answers: ${JSON.stringify(result.statuses)}`);
  await wait(1_200); // what is counted last is told before somebody else is asked
  const allWork = (processorMs(processes) * 1_000 - allBefore) / answers;
  return { ...result, work: (worked() - before) / answers, allWork, pictures: Math.floor(answers / 2) };
}

interface Turns {
  counted: Slice[];
  uncounted: Slice[];
  /** Readings that were to be counted, those before the first turn among them. */
  pictures: number;
}
async function inTurns(target: (dnt: Wish) => Target, times: number): Promise<Turns> {
  const warm = await measure(target("0"), 3_000); // warms caches and compilers
  await measure(target("1"), 3_000);
  const turns: Turns = { counted: [], uncounted: [], pictures: 0 };
  for (let round = 0; round < times; round++) {
    const both = [async () => turns.counted.push(await measure(target("0"))), async () => turns.uncounted.push(await measure(target("1")))];
    for (const turn of round % 2 === 0 ? both : both.reverse()) await turn();
  }
  turns.pictures = [warm, ...turns.counted].reduce((sum, { pictures }) => sum + pictures, 0);
  return turns;
}
async function viewsCounted(): Promise<number> {
  await sql`select private.roll_up_counts()`;
  const [row] = await sql<{ n: number }[]>`
    select coalesce(sum(n), 0)::int as n from public.daily_counts where what = 'view' and post_id is not null`;
  return row!.n;
}

let usual: Turns;
let worst: Turns;
let views: [usual: number, worst: number];
try {
  usual = await inTurns(again, rounds);
  const before = await viewsCounted();
  worst = await inTurns(never, Math.ceil(rounds / 3));
  await wait(2_000);
  views = [before, (await viewsCounted()) - before];
} finally {
  await sql.end();
  await stack.stop();
}

type Of = "rate" | "p99" | "work" | "allWork";
const pair = ({ counted, uncounted }: Turns, of: Of, unit: string) =>
  inPairs(
    counted.map((slice) => slice[of]),
    uncounted.map((slice) => slice[of]),
    unit,
    "not counted",
  );
const report = new Report();
const tell = (figure: string, turns: Turns, of: Of, unit: string): void => {
  const { measured, reference } = pair(turns, of, unit);
  report.tell(figure, measured, unit, `not counted ${reference.toFixed(of === "p99" ? 1 : 0)} ${unit}`);
};
report.compare("pages and pictures, readers who come again: answers", pair(usual, "rate", "/s"), "at least", limits.share);
report.tellRatio("the processor time of those", pair(usual, "allWork", "µs"));
tell("p99 of those", usual, "p99", "ms");
tell("the function's work for one of those", usual, "work", "µs");
report.judge("readers who come again that are counted", views[0], "at least", regulars, "readers");
tell("asked directly, readers who were never there: answers", worst, "rate", "/s");
tell("the function's work for one of those", worst, "work", "µs");
report.tell("readers of those that are counted", views[1], "readers", `of ${worst.pictures}`);
report.end();
