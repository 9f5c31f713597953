import { handOver } from "../../../edge-functions/_shared/mail.ts";
import { readMailSettings } from "../../../edge-functions/_shared/mail-settings.ts";
import type { Environment } from "../environment.ts";
import type { Deliver } from "../engine/mail.ts";
import { StartError } from "../start-error.ts";

/** What says how mails leave: functions are given it as it is. */
const names = ["MAIL_TRANSPORT", "MAIL_API_URL", "MAIL_API_KEY", "MAIL_SMTP_URL", "MAIL_FROM"];

export const mailVariables = (environment: Environment): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));

/**
 * Delivers by the transport that functions use, too (edge-functions/_shared/mail-settings.ts); null where none is set. A mail that was not taken
 * is an error, so that a sign-up says so instead of promising a mail.
 */
export function deliverBy(environment: Environment): Deliver | null {
  const { mail, problems } = readMailSettings((name) => environment[name]);
  if (problems.length > 0) throw new StartError(`${problems.join(". ")}.`);
  if (mail === null) return null;
  return async ({ reply_to: replyTo, ...message }, key) => {
    const { outcome, status, error } = await handOver(mail, { ...message, ...(replyTo && { replyTo }), ...(key && { key }) });
    if (outcome !== "done") throw new Error(`the mail transport answered ${status ?? error ?? "nothing"}`);
  };
}
