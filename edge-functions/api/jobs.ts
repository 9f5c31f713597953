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

/** So long a clock waits for webhooks. Those that hang go on while it asks for mails again. */
const webhooksMs = 1_000;
/** A clock that waits for mails, which may take 20 seconds, asks for nothing meanwhile: so often what else has become due is looked for. */
const lookMs = 1_000;

/** A failure delays no other mails. */
const accountMails = (env: Env): Promise<void> =>
  sendAccountMails(env).catch((error: unknown) => log({ event: "account mails not sent", reason: describeFault(error).message }));

interface Workers {
  webhooks: WebhookWorker;
  pictures: PictureWorker;
  backups: BackupWorker;
  domains: DomainChecker;
}

/**
 * `goOn` hears of work that goes on when the clock has its answer: mails wait for no picture, no copy and nobody's DNS, and none of these waits for
 * mails, nor do webhooks.
 */
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
    void backups.wake(); // it says itself that it goes on
    return webhooks.wake();
  };
  open(jobEndpoints.deliver, async ({ env }) => {
    const sending = wakeAll();
    const looking = setInterval(() => void wakeAll().catch(() => {}), lookMs); // the log has what went wrong
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
