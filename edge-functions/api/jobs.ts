import { jobEndpoints } from "#contract/jobs.ts";
import { removeDiscardedFiles } from "../_shared/discarded-files.ts";
import { deliverOnce } from "./outbox/deliver.ts";
import type { Binder } from "../_shared/handle.ts";

export function bindJobs({ open }: Binder): void {
  open(jobEndpoints.removeFiles, async ({ env }) => {
    await removeDiscardedFiles(env);
    return { success: true as const };
  });
  open(jobEndpoints.deliver, async ({ env }) => {
    await deliverOnce(env);
    return { success: true as const };
  });
}
