import { z } from "zod";
import type { Handed, Outgoing } from "../mail.ts";
import { fieldsOf, outcomeOf, postJson } from "./http-answer.ts";

/**
 * An HTTPS address that takes `{from, to, subject, text, html, reply_to, headers, tags}` with a bearer key and an Idempotency-Key, as Resend's
 * does. The tag comes back with what Resend tells of the mail.
 */
export async function byResend({ url, key: bearer }: { url: string; key: string }, message: Outgoing): Promise<Handed> {
  const { key, replyTo, ...mail } = message;
  const headers = { authorization: `Bearer ${bearer}`, ...(key !== undefined && { "idempotency-key": key }) };
  const body = {
    ...mail,
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(key !== undefined && { tags: [{ name: "delivery", value: key }] }),
  };
  const { status, ok, after, said } = await postJson(url, headers, body);
  const { id, name } = fieldsOf({ id: z.string(), name: z.string() }, said);
  if (ok) return { outcome: "done", status, ...(id !== undefined && { remote: id }) };
  // The first try was taken, and the post was edited since.
  if (status === 409 && name === "invalid_idempotent_request") return { outcome: "done", status };
  return { outcome: outcomeOf(status), status, ...(name !== undefined && { error: name }), ...(after !== undefined && { after }) };
}
