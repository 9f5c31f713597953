import type { Environment } from "../environment.ts";
import type { Deliver } from "../engine/mail.ts";

const patienceMs = 10_000;

/**
 * Delivers by the address of MAIL_API_URL, which takes what edge-functions/_shared/mail.ts describes; null where none is set.
 * A mail that was not taken is an error, so that a sign-up says so instead of promising a mail.
 */
export function deliverBy({ MAIL_API_URL: url, MAIL_API_KEY: key = "", MAIL_FROM: from }: Environment): Deliver | null {
  if (!url) return null;
  return async (message, idempotencyKey) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      },
      body: JSON.stringify({ from, ...message }),
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the mail transport answered ${answer.status}`);
  };
}
