import { jobEndpoints } from "#contract/jobs.ts";
import { removeDiscardedFiles } from "../_shared/discarded-files.ts";
import type { Env } from "../_shared/env.ts";
import type { Binder } from "../_shared/handle.ts";
import { describeFault, log } from "../_shared/log.ts";
import type { BackupWorker } from "./backups/worker.ts";
import type { DomainChecker } from "./domains/checker.ts";
import type { PictureWorker } from "./draw-pictures.ts";
import { sendAccountMails } from "./outbox/account-mails.ts";
import { deliverOnce } from "./outbox/deliver.ts";
import type { WebhookWorker } from "./webhooks/worker.ts";

const webhooksMs = 1_000;
/** Poll interval for other due work while emails are sent, which can take 20 seconds. */
const lookMs = 1_000;

/** A failure doesn't delay other emails. */
const accountMails = (env: Env): Promise<void> =>
  sendAccountMails(env).catch((error: unknown) => log({ event: "account mails not sent", reason: describeFault(error).message }));

interface Workers {
  webhooks: WebhookWorker;
  pictures: PictureWorker;
  backups: BackupWorker;
  domains: DomainChecker;
}

/** Emails, images, backups, DNS checks and webhooks run independently; `goOn` keeps the worker alive. */
export function bindJobs(
  { open }: Binder,
  { webhooks, pictures, backups, domains }: Workers,
  goOn: (work: Promise<unknown>) => void,
): void {
  open(jobEndpoints.removeFiles, async ({ env }) => {
    await removeDiscardedFiles(env);
    return { success: true as const };
  });
  const wakeAll = (): Promise<void> => {
    goOn(pictures.wake());
    goOn(domains.wake());
    void backups.wake();
    return webhooks.wake();
  };
  open(jobEndpoints.deliver, async ({ env }) => {
    const sending = wakeAll();
    const looking = setInterval(() => void wakeAll().catch(() => {}), lookMs);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, webhooksMs)));
    try {
      await Promise.all([accountMails(env), deliverOnce(env), Promise.race([sending, enough])]);
    } finally {
      clearInterval(looking);
      clearTimeout(timer);
    }
    return { success: true as const };
  });
}
