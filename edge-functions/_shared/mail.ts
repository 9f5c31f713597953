import type { Env } from "./env.ts";
import { describeFault, log } from "./log.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A mail with all that decides how it is delivered. */
export interface Message extends Mail {
  /** Instead of the installation's own sender. */
  from?: string;
  replyTo?: string;
  headers?: Record<string, string>;
  /** The same for each try: a transport that knows it sends the mail once. */
  key?: string;
}

/**
 * How handing a mail over went: taken, to be tried again (after that many seconds, where the transport said so), or refused for good.
 * `status` is what was answered; without one there was no answer.
 */
export interface Handed {
  outcome: "done" | "again" | "failed";
  status?: number;
  error?: string;
  after?: number;
}

const patienceMs = 10_000;

/** What is wrong with the mail itself; everything else may be different another time. */
const refusals = new Set([400, 404, 405, 413, 422]);

/**
 * Hands a mail to the configured transport: an HTTPS address that takes `{from, to, subject, text, html, reply_to, headers}` with a bearer key
 * and an Idempotency-Key, as Resend's does (hosted functions cannot speak SMTP on its usual ports).
 */
export async function handOver(mail: NonNullable<Env["mail"]>, { from = mail.from, replyTo, key, ...message }: Message): Promise<Handed> {
  try {
    const answer = await fetch(mail.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${mail.key}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: JSON.stringify({ from, ...message, ...(replyTo !== undefined && { reply_to: replyTo }) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.body?.cancel();
    const { status } = answer;
    if (answer.ok) return { outcome: "done", status };
    const after = Number(answer.headers.get("retry-after")) || undefined;
    return { outcome: refusals.has(status) ? "failed" : "again", status, ...(after !== undefined && { after }) };
  } catch (error) {
    return { outcome: "again", error: describeFault(error).message };
  }
}

/** Hands a mail over at once; answers whether it was taken, false too where no transport is configured. */
export async function sendMail({ mail }: Pick<Env, "mail">, message: Mail): Promise<boolean> {
  if (!mail) return false;
  const { outcome, status, error } = await handOver(mail, message);
  if (status !== undefined && outcome !== "done") log({ event: "mail refused", status });
  if (error !== undefined) log({ event: "mail not sent", reason: error });
  return outcome === "done";
}
