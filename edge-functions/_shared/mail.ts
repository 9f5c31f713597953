import type { Env } from "./env.ts";
import { describeFault, log } from "./log.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

const patienceMs = 10_000;

/**
 * Hands a mail to the configured transport: an HTTPS address that takes `{from, to, subject, text, html}` with a bearer key, as Resend's
 * does (hosted functions cannot speak SMTP). Answers whether it was taken; false too where no transport is configured.
 */
export async function sendMail({ mail }: Pick<Env, "mail">, message: Mail): Promise<boolean> {
  if (!mail) return false;
  try {
    const answer = await fetch(mail.url, {
      method: "POST",
      headers: { authorization: `Bearer ${mail.key}`, "content-type": "application/json" },
      body: JSON.stringify({ from: mail.from, ...message }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) log({ event: "mail refused", status: answer.status });
    return answer.ok;
  } catch (error) {
    log({ event: "mail not sent", reason: describeFault(error).message });
    return false;
  }
}
