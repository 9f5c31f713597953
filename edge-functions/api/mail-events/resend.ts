import { z } from "zod";
import { deliveryIn, type MailEvent, momentOf } from "./mail-event.ts";

const payload = z.object({
  type: z.string(),
  created_at: z.string().nullish(),
  data: z.object({
    email_id: z.string().max(200).nullish(),
    to: z.union([z.array(z.string()), z.string()]).nullish(),
    tags: z.union([z.record(z.string(), z.string()), z.array(z.object({ name: z.string(), value: z.string() }))]).nullish(),
    bounce: z.object({ type: z.string().nullish() }).nullish(),
  }),
});

/** `id` of the signed request is stable across retries. */
export function eventsOfResend(body: unknown, id: string): MailEvent[] {
  const { data: event } = payload.safeParse(body);
  const kind = event && kindOf(event);
  if (!event || !kind) return [];
  const { email_id: remote = null, to, tags } = event.data;
  const tag = Array.isArray(tags) ? tags.find(({ name }) => name === "delivery")?.value : tags?.["delivery"];
  const [email = null] = [to ?? []].flat();
  return [{ key: `resend:${id}`, kind, delivery: deliveryIn(tag), remote, email, at: momentOf(event.created_at) }];
}

function kindOf({ type, data }: z.output<typeof payload>): MailEvent["kind"] | null {
  if (type === "email.complained") return "complaint";
  if (type === "email.suppressed") return "hard";
  if (type !== "email.bounced") return null;
  return ["Transient", "Undetermined"].includes(data.bounce?.type ?? "") ? "soft" : "hard";
}
