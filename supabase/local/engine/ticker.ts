import type { Sql } from "postgres";
import type { Part } from "./parts.ts";

/** What pg_cron does on hosted, and how often, in ticks. */
const jobs = [
  { name: "publish_due_posts", every: 1 },
  { name: "settle_tags", every: 2 },
  { name: "tidy_up", every: 720 },
  { name: "remove_files", every: 12 },
] as const;

export interface TickerOptions {
  sql: Sql;
  tickMs: number;
  /** The one job that is no function of the database: SQL may not remove files. */
  removeFiles(): Promise<void>;
  /** Hears how each job went. */
  ended(job: string, succeeded: boolean): void;
}

/** Stands in for pg_cron: does the same, the first at every tick. */
export function createTicker({ sql, tickMs, removeFiles, ended }: TickerOptions): Part {
  let running = false;
  let ticks = 0;
  const tick = async () => {
    if (running) return;
    running = true;
    ticks += 1;
    for (const { name, every } of jobs)
      if (ticks % every === 0) ended(name, await succeeds(name, name === "remove_files" ? removeFiles : () => call(sql, name)));
    running = false;
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

/** Has a function do a job; `port` is null or undefined while it is down. */
export async function callJob(port: number | null | undefined, path: string): Promise<void> {
  if (!port) throw new Error("the function is down");
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", signal: AbortSignal.timeout(5_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
