import type { Sql } from "postgres";
import type { Part } from "./parts.ts";

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
  /** Work that SQL can't do: removing files, sending emails. */
  ask: Record<FunctionJob, () => Promise<void>>;
  /** Reports each job's result. */
  ended(job: string, succeeded: boolean): void;
}

/** Replaces pg_cron: runs the first job at every tick. Function jobs run in the background, one at a time. */
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
    console.error(`${name}:`, error); // Postgres is usually restarting; the next tick retries
    return false;
  }
}

async function call(sql: Sql, name: string): Promise<void> {
  const [row] = await sql<{ exists: boolean }[]>`select to_regproc(${`private.${name}`}) is not null as exists`;
  if (row?.exists) await sql.unsafe(`select private.${name}()`);
}

/** Calls a function's job with a timeout of 30 s; `port` is null or undefined while it's down. */
export async function callJob(port: number | null | undefined, path: string): Promise<void> {
  if (!port) throw new Error("the function is down");
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", signal: AbortSignal.timeout(30_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
