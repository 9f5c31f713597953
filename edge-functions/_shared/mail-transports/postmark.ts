import { z } from "zod";
import type { Handed, Outgoing } from "../mail.ts";
import { fieldsOf, postJson } from "./http-answer.ts";

/** Postmark's own numbers for what is wrong with the mail itself: the JSON, an address. What else it answers with 422 is the account's. */
const refusals = new Set([300, 402, 403, 411, 413]);
/** Has bounced for good, complained, or left at Postmark. */
const inactiveRecipient = 406;

/**
 * Postmark's API. It knows no idempotency key: of an answer that was lost, the mail comes twice, under the same Message-ID. `Metadata` comes
 * back with what it tells of the mail.
 */
export async function byPostmark({ url, key: token }: { url: string; key: string }, message: Outgoing): Promise<Handed> {
  const { from, to, subject, html, text, replyTo, headers = {}, key } = message;
  const isBulk = headers["List-Unsubscribe"] !== undefined;
  const { status, ok, after, said } = await postJson(
    url,
    { accept: "application/json", "x-postmark-server-token": token },
    {
      From: from,
      To: to,
      Subject: subject,
      HtmlBody: html,
      TextBody: text,
      ...(replyTo !== undefined && { ReplyTo: replyTo }),
      // without the last one Postmark writes a Message-ID of its own
      Headers: [...Object.entries(headers), ["X-PM-KeepID", "true"]].map(([Name, Value]) => ({ Name, Value })),
      ...(key !== undefined && { Metadata: { delivery: key } }),
      MessageStream: isBulk ? "broadcast" : "outbound",
      TrackOpens: false,
      TrackLinks: "None",
    },
  );
  const { ErrorCode: code, MessageID: remote } = fieldsOf({ ErrorCode: z.number(), MessageID: z.string() }, said);
  if (ok && (code ?? 0) === 0) return { outcome: "done", status, ...(remote !== undefined && { remote }) };
  const error = { ...(code !== undefined && { error: `Postmark's error ${code}` }) };
  if (code === inactiveRecipient) return { outcome: "failed", status, ...error, bounce: "hard" };
  const refused = status === 413 || (status === 422 && code !== undefined && refusals.has(code));
  return { outcome: refused ? "failed" : "again", status, ...error, ...(after !== undefined && { after }) };
}
