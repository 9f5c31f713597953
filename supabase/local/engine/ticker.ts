import type { Sql } from "postgres";
import type { Part } from "./parts.ts";

const jobs = [
  { name: "publish_due_posts", every: 1 },
  { name: "start_due_backups", every: 1 },
  { name: "settle_tags", every: 2 },
  { name: "delete_abandoned_restores", every: 12 },
  { name: "roll_up_counts", every: 12 },
  { name: "tidy_up", every: 720 },
] as const;

export interface TickerOptions {
  sql: Sql;
  tickMs: number;
  runJobs(): Promise<void>;
  ended(job: string, succeeded: boolean): void;
}

/** Replaces pg_cron: runs the first job at every tick. Functions share the work of overlapping calls. */
export function createTicker({ sql, tickMs, runJobs, ended }: TickerOptions): Part {
  let isBusy = false;
  let ticks = 0;
  const runInDatabase = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (const { name, every } of jobs)
      if (ticks % every === 0) ended(name, await succeeds(name, () => sql.unsafe(`select private.${name}()`)));
    isBusy = false;
  };
  const tick = (): void => {
    ticks += 1;
    void runInDatabase();
    void succeeds("run_jobs", runJobs).then((succeeded) => ended("run_jobs", succeeded));
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    name: "ticker",
    start: () => Promise.resolve(void (timer = setInterval(tick, tickMs))),
    stop: () => clearInterval(timer),
  };
}

async function succeeds(name: string, job: () => Promise<unknown>): Promise<boolean> {
  try {
    await job();
    return true;
  } catch (error) {
    console.error(`${name}:`, error); // Postgres is usually restarting; the next tick retries
    return false;
  }
}

/** Calls a function's job with a timeout of 30 s; `port` is null or undefined while it's down. */
export async function callJob(port: number | null | undefined, path: string): Promise<void> {
  if (!port) throw new Error("the function is down");
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", signal: AbortSignal.timeout(30_000) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
