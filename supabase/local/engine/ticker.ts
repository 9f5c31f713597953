import type { Sql } from "postgres";
import type { Part } from "./parts.ts";

/** What pg_cron does on hosted, and how often, in ticks: functions of the database, and jobs of the functions. */
const jobs = [
  { name: "publish_due_posts", every: 1 },
  { name: "settle_tags", every: 2 },
  { name: "drop_dead_restores", every: 12 },
  { name: "roll_up_counts", every: 12 },
  { name: "tidy_up", every: 720 },
] as const;
const functionJobs = [
  { name: "remove_files", every: 12 },
  { name: "deliver", every: 1 },
] as const;
export type FunctionJob = (typeof functionJobs)[number]["name"];

export interface TickerOptions {
  sql: Sql;
  tickMs: number;
  /** What SQL may not do (remove files) or cannot (send mails). */
  ask: Record<FunctionJob, () => Promise<void>>;
  /** Hears how each job went. */
  ended(job: string, succeeded: boolean): void;
}

/** Stands in for pg_cron: does the same, the first at every tick. What functions do takes its time: it is not waited for, and not asked for twice. */
export function createTicker({ sql, tickMs, ask, ended }: TickerOptions): Part {
  const underWay = new Set<string>();
  let ticks = 0;
  const begin = async (name: string, work: () => Promise<void>): Promise<void> => {
    if (underWay.has(name)) return;
    underWay.add(name);
    await work();
    underWay.delete(name);
  };
  const tick = (): void => {
    ticks += 1;
    void begin("the database's", async () => {
      for (const { name, every } of jobs) if (ticks % every === 0) ended(name, await succeeds(name, () => call(sql, name)));
    });
    for (const { name, every } of functionJobs)
      if (ticks % every === 0) void begin(name, async () => ended(name, await succeeds(name, ask[name])));
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: "ticker",
    start: () => Promise.resolve(void (timer = setInterval(tick, tickMs))),
    stop: () => clearInterval(timer),
  };
}

async function succeeds(name: string, job: () => Promise<void>): Promise<boolean> {
  try {
    await job();
    return true;
  } catch (error) {
    console.error(`${name}:`, error); // Postgres is restarting, mostly: the next call finds the same work
    return false;
  }
}

/** A function of the schema private, only where it exists. */
async function call(sql: Sql, name: string): Promise<void> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regproc(${`private.${name}`}) is not null as exists`;
  if (row?.exists) await sql.unsafe(`select private.${name}()`);
}

/** Has a function do a job, for half a minute at most; `port` is null or undefined while it is down. */
export async function callJob(port: number | null | undefined, path: string): Promise<void> {
  if (!port) throw new Error("the function is down");
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", signal: AbortSignal.timeout(30_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
