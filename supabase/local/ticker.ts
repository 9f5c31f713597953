import type { Sql } from "postgres";

/** What pg_cron calls on hosted; functions of the schema private; each is called only where it exists. */
const jobs = [
  { name: "publish_due_posts", every: 1 },
  { name: "tidy_up", every: 720 },
];

/** Stands in for pg_cron: calls the same functions, the first at every tick; `ended` hears how each went. Returns how to stop. */
export function startTicker(sql: Sql, tickMs: number, ended: (job: string, succeeded: boolean) => void = () => {}): () => void {
  let running = false;
  let ticks = 0;
  const tick = async () => {
    if (running) return;
    running = true;
    ticks += 1;
    for (const { name, every } of jobs) if (ticks % every === 0) ended(name, await call(sql, name));
    running = false;
  };
  const timer = setInterval(tick, tickMs);
  return () => clearInterval(timer);
}

async function call(sql: Sql, name: string): Promise<boolean> {
  try {
    const [row] = await sql<{ exists: boolean }[]>`select to_regproc(${`private.${name}`}) is not null as exists`;
    if (row?.exists) await sql.unsafe(`select private.${name}()`);
    return true;
  } catch (error) {
    console.error(`${name}:`, error); // Postgres is restarting, mostly: the next call finds the same work
    return false;
  }
}
