export interface Job {
  cores: number;
  run(): Promise<void>;
}

/** Runs jobs in order within a limit of `cores`. Smaller jobs overtake one that doesn't fit; a job above the limit runs alone. */
export async function runSideBySide(jobs: readonly Job[], cores: number): Promise<void> {
  const waiting = [...jobs];
  const running = new Set<Promise<void>>();
  let free = cores;
  const fits = (job: Job): boolean => job.cores <= free || running.size === 0;
  const start = (job: Job): void => {
    free -= job.cores;
    const run = job.run().finally(() => {
      free += job.cores;
      running.delete(run);
    });
    running.add(run);
  };
  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(fits);
    if (next !== -1) start(waiting.splice(next, 1)[0]!);
    else await Promise.race(running);
  }
}
