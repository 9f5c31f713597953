import { z } from "zod";
import { type ApiSettings, apiRequest, type OutgoingMail } from "#contract/mail-transports.ts";
import type { Handed } from "./send-result.ts";
import { fieldsOf, outcomeOf, postJson } from "./http-answer.ts";

export async function byResend(settings: ApiSettings, mail: OutgoingMail): Promise<Handed> {
  const { status, ok, after, said } = await postJson(apiRequest(settings, mail));
  const { id, name } = fieldsOf({ id: z.string(), name: z.string() }, said);
  if (ok) return { outcome: "done", status, ...(id !== undefined && { remote: id }) };
  // The first attempt was accepted, and the post was edited since.
  if (status === 409 && name === "invalid_idempotent_request") return { outcome: "done", status };
  return { outcome: outcomeOf(status), status, ...(name !== undefined && { error: name }), ...(after !== undefined && { after }) };
}
