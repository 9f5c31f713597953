import { mailAddress } from "#contract/mail-address.ts";
import { mailbox, type MailSettings, type OutgoingMail } from "#contract/mail-transports.ts";
import type { Env } from "./env.ts";
import { describeFault, log } from "./log.ts";
import type { Handed } from "./mail-transports/send-result.ts";
import { byPostmark } from "./mail-transports/postmark.ts";
import { byResend } from "./mail-transports/resend.ts";
import { bySmtp } from "./mail-transports/smtp.ts";

export type { Handed };

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Message extends Mail {
  from?: string;
  replyTo?: string;
  headers?: Record<string, string>;
  key?: string;
}

export async function handOver(mail: MailSettings, { from = mail.from, ...message }: Message): Promise<Handed> {
  const outgoing: OutgoingMail = { ...message, from, subject: oneLine(message.subject) };
  const lines = [outgoing.to, outgoing.from, outgoing.replyTo ?? "", ...Object.entries(outgoing.headers ?? {}).flat()];
  if (lines.some((line) => lineBreak.test(line))) return { outcome: "failed", error: "a line break where a header is" };
  const addresses = [outgoing.to, outgoing.replyTo ?? outgoing.to, mailbox(outgoing.from).address];
  if (!addresses.every(isOneAddress)) return { outcome: "failed", error: "not one address" };
  try {
    const { error, after, remote, ...handed } = await hand(mail, outgoing);
    return {
      ...handed,
      ...(error !== undefined && { error: storable(withoutAddresses(error), 500) }),
      ...(after !== undefined && after > 0 && { after: Math.min(Math.ceil(after), longestWait) }),
      ...(remote && { remote: storable(remote, 200) }),
    };
  } catch (error) {
    return { outcome: "again", error: storable(describeFault(error).message, 500) };
  }
}

function hand(mail: MailSettings, message: OutgoingMail): Promise<Handed> {
  if (mail.transport === "smtp") return bySmtp(mail, message);
  return mail.transport === "postmark" ? byPostmark(mail, message) : byResend(mail, message);
}

const longestWait = 86_400;

const isOneAddress = (text: string): boolean => mailAddress(text) !== null || /^[\w.+-]+@localhost$/.test(text);
const lineBreak = /[\p{Cc}\u2028\u2029]/u;
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
const withoutAddresses = (text: string): string => describeFault(new Error(text)).message;

/** Replaces characters that Postgres rejects and that would fail the batch. */
const storable = (text: string, length: number): string => oneLine(text).slice(0, length).toWellFormed();

/** Sends now, marked as auto-generated; false if it failed or no transport is configured. With an `id`, repeats are recognised. */
export async function sendMail({ mail, publicUrl }: Pick<Env, "mail" | "publicUrl">, message: Mail, id?: string): Promise<boolean> {
  if (!mail) return false;
  const own = id !== undefined && { "Message-ID": `<${id}@${new URL(publicUrl).hostname}>` };
  const headers = { "Auto-Submitted": "auto-generated", ...own };
  const { outcome, status, error } = await handOver(mail, { ...message, headers, ...(id !== undefined && { key: id }) });
  if (status !== undefined && outcome !== "done") log({ event: "email refused", status });
  else if (error !== undefined) log({ event: "email not sent", reason: error });
  return outcome === "done";
}
