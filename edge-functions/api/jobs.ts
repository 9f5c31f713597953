import { jobEndpoints } from "#contract/jobs.ts";
import { removeDiscardedFiles } from "../_shared/discarded-files.ts";
import type { Env } from "../_shared/env.ts";
import type { Binder } from "../_shared/handle.ts";
import type { JobWorker } from "../_shared/jobs.ts";
import { describeFault, log } from "../_shared/log.ts";
import { sendAccountMails } from "./outbox/account-mails.ts";
import { deliverOnce } from "./outbox/deliver.ts";

const jobsMs = 1_000;

/** A failure doesn't delay other emails. */
const accountMails = (env: Env): Promise<void> =>
  sendAccountMails(env).catch((error: unknown) => log({ event: "account emails not sent", reason: describeFault(error).message }));

export function bindJobs({ open }: Binder, jobs: JobWorker): void {
  open(jobEndpoints.run, async ({ env }) => {
    const enough = new Promise((resolve) => setTimeout(resolve, jobsMs));
    await Promise.all([Promise.race([jobs.wake(), enough]), removeDiscardedFiles(env), accountMails(env), deliverOnce(env)]);
    return { success: true as const };
  });
}
