import type { SupabaseClient } from "@supabase/supabase-js";
import type { AnswerOf, Database, Json } from "#contract/database.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";
import { describeFault, log } from "./log.ts";
import { retry } from "./retry.ts";

/** No new claims after this; the next wake continues. */
const longestMs = 20_000;
const gatherMs = 5;
/** Timeout of a database call: Postgres may have died during it. */
export const databaseTimeoutMs = 10_000;

export type Job = AnswerOf<"work_jobs">[number];

export interface Task {
  /** Jobs of this task that one process runs at once. */
  concurrency: number;
  /**
   * Runs a job. A returned number runs it again after so many seconds; "ended" says that its result was recorded with its end; an error is
   * retried by the task's schedule.
   */
  run(job: Job): Promise<number | "ended" | void>;
}

interface Ended {
  id: string;
  lease: string;
  error?: string;
  again?: number;
}

/** Runs due jobs (supabase/schemas/29-jobs.sql) with the service role: workers have no user. Processes share them by lease. */
export class JobWorker {
  readonly #service: SupabaseClient<Database>;
  readonly #tasks: Readonly<Record<string, Task>>;
  readonly #waitUntil: (work: Promise<unknown>) => void;
  readonly #underWay = new Map<string, number>();
  #ended: Ended[] = [];
  #running: Promise<void> | null = null;
  #until = 0;
  #wasWoken = false;
  #poke: () => void = () => {};

  /** `waitUntil` keeps the process alive for background work. */
  constructor(env: Env, tasks: Record<string, Task>, waitUntil: (work: Promise<unknown>) => void) {
    this.#service = serviceClient(env);
    this.#tasks = tasks;
    this.#waitUntil = waitUntil;
  }

  /** Resolves when nothing is due or under way. Idempotent. Failures are logged. */
  wake(): Promise<void> {
    this.#until = Date.now() + longestMs;
    this.#wasWoken = true;
    this.#poke();
    this.#running ??= this.#work().finally(() => (this.#running = null));
    this.#waitUntil(this.#running.catch((error: unknown) => log({ event: "jobs not run", reason: describeFault(error).message })));
    return this.#running;
  }

  async #work(): Promise<void> {
    for (;;) {
      const ended = this.#ended.splice(0);
      this.#wasWoken = false;
      const jobs = await this.#exchange(ended);
      for (const job of jobs) void this.#run(job);
      const isIdle = () => this.#ended.length === 0 && !this.#wasWoken;
      if (jobs.length === 0 && ended.length === 0 && this.#underWay.size === 0 && isIdle()) return;
      if (isIdle() && this.#underWay.size > 0) await new Promise<void>((resolve) => (this.#poke = resolve));
      await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
  }

  /** Records ended jobs and claims more. Unrecorded ones run twice, so that is retried. */
  async #exchange(ended: Ended[]): Promise<Job[]> {
    const capacity =
      Date.now() < this.#until
        ? Object.entries(this.#tasks).map(([name, task]) => [name, task.concurrency - (this.#underWay.get(name) ?? 0)])
        : [];
    const call = async () =>
      (
        await this.#service
          .rpc("work_jobs", { ended: ended as unknown as Json, capacity: Object.fromEntries(capacity) as Json })
          .abortSignal(AbortSignal.timeout(databaseTimeoutMs))
          .throwOnError()
      ).data;
    if (ended.length === 0) return this.#underWay.size > 0 ? await call().catch(() => []) : await call();
    return await retry(call).catch((error: unknown) => {
      this.#ended.push(...ended);
      throw error;
    });
  }

  async #run(job: Job): Promise<void> {
    const { id, lease, task } = job;
    this.#underWay.set(task, (this.#underWay.get(task) ?? 0) + 1);
    try {
      const again = await this.#tasks[task]!.run(job);
      if (again !== "ended") this.#ended.push({ id, lease, ...(typeof again === "number" && { again }) });
    } catch (error) {
      const fault = describeFault(error);
      log({ event: "job failed", task, attempt: job.attempt, reason: fault.message });
      this.#ended.push({ id, lease, error: fault.message });
    }
    const others = this.#underWay.get(task)! - 1;
    if (others > 0) this.#underWay.set(task, others);
    else this.#underWay.delete(task);
    this.#poke();
  }
}
