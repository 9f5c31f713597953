import { jobEndpoints } from "#contract/jobs.ts";
import { removeDiscardedFiles } from "../_shared/discarded-files.ts";
import type { Binder } from "../_shared/handle.ts";
import type { JobWorker } from "../_shared/jobs.ts";

const jobsMs = 1_000;

export function bindJobs({ open }: Binder, jobs: JobWorker): void {
  open(jobEndpoints.run, async ({ env }) => {
    const enough = new Promise((resolve) => setTimeout(resolve, jobsMs));
    await Promise.all([Promise.race([jobs.wake(), enough]), removeDiscardedFiles(env)]);
    return { success: true as const };
  });
}
