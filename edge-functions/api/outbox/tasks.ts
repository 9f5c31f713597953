import type { Env } from "../../_shared/env.ts";
import type { Task } from "../../_shared/jobs.ts";
import { Outbox } from "../../_shared/outbox.ts";
import { sendAccountEmails } from "./account-mails.ts";
import { EmailSender } from "./email-sender.ts";

/** None if no email transport is configured: emails then wait. */
export function emailTasks(env: Env): Record<string, Task> {
  if (env.mail === null) return {};
  const outbox = new Outbox(env);
  return {
    send_emails: new EmailSender(env, env.mail),
    send_account_email: sendAccountEmails(env, outbox),
    enqueue_digests: repeated(10, () => outbox.enqueueDigests()),
    enqueue_reports: repeated(60, () => outbox.enqueueReports()),
  };
}

const repeated = (seconds: number, work: () => Promise<void>): Task => ({
  concurrency: 1,
  run: () => work().then(() => seconds),
});
