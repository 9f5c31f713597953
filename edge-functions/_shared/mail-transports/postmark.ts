import { z } from "zod";
import { type ApiSettings, apiRequest, type OutgoingMail } from "#contract/mail-transports.ts";
import type { Handed } from "./send-result.ts";
import { fieldsOf, postJson } from "./http-answer.ts";

const refusals = new Set([300, 402, 403, 411, 413]);
/** Bounced, complained or unsubscribed at Postmark. */
const inactiveRecipient = 406;

/** No idempotency keys: after a lost response the email is sent twice with the same Message-ID. */
export async function byPostmark(settings: ApiSettings, mail: OutgoingMail): Promise<Handed> {
  const { status, ok, after, said } = await postJson(apiRequest(settings, mail));
  const { ErrorCode: code, MessageID: remote } = fieldsOf({ ErrorCode: z.number(), MessageID: z.string() }, said);
  if (ok && (code ?? 0) === 0) return { outcome: "done", status, ...(remote !== undefined && { remote }) };
  const error = { ...(code !== undefined && { error: `Postmark's error ${code}` }) };
  if (code === inactiveRecipient) return { outcome: "failed", status, ...error, bounce: "hard" };
  const refused = status === 413 || (status === 422 && code !== undefined && refusals.has(code));
  return { outcome: refused ? "failed" : "again", status, ...error, ...(after !== undefined && { after }) };
}
