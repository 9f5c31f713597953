import {
  apiRequest,
  mailbox,
  type MailSettings,
  type OutgoingMail,
  readMailSettings,
  smtpMail,
  smtpOptions,
} from "#contract/mail-transports.ts";
import type { Environment } from "../environment.ts";
import type { Deliver } from "../engine/mail.ts";
import { StartError } from "../start-error.ts";

const timeoutMs = 10_000;

const names = ["TIDINGS_MAIL_TRANSPORT", "TIDINGS_MAIL_API_URL", "TIDINGS_MAIL_API_KEY", "TIDINGS_MAIL_SMTP_URL", "TIDINGS_MAIL_FROM"];

export const mailVariables = (environment: Environment): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));

/** Sends the auth service's emails with the functions' transport; null if none is set. Rejects on failure, so the sign-up fails visibly. */
export function deliverBy(environment: Environment): Deliver | null {
  const { mail: settings, problems } = readMailSettings((name) => environment[name]);
  if (problems.length > 0) throw new StartError(`${problems.join(". ")}.`);
  if (settings === null) return null;
  return async ({ reply_to: replyTo, from = settings.from, ...message }, key) => {
    const mail = { ...message, from, ...(replyTo && { replyTo }), ...(key && { key }) };
    if (/[\r\n]/.test(`${mail.from}${mail.to}`) || mailbox(from).address === "") throw new Error("an email without sender or recipient");
    await (settings.transport === "smtp" ? bySmtp(settings, mail) : byApi(settings, mail));
  };
}

async function bySmtp({ url }: { url: string }, mail: OutgoingMail): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transporter = createTransport(smtpOptions(url));
  try {
    await transporter.sendMail(smtpMail(mail));
  } catch (error) {
    throw new Error(`the SMTP server responded ${(error as { responseCode?: number }).responseCode ?? "nothing"}`, { cause: error });
  } finally {
    transporter.close();
  }
}

async function byApi(settings: Exclude<MailSettings, { transport: "smtp" }>, mail: OutgoingMail): Promise<void> {
  const { url, headers, body } = apiRequest(settings, mail);
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the email transport responded ${answer.status}`);
}
