import { z } from "zod";
import { deliveryIn, type MailEvent, momentOf, parsed } from "./mail-event.ts";

const recipients = z.array(z.object({ emailAddress: z.string() })).max(100);
const payload = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(), // event publishing uses this name
  mail: z.object({
    messageId: z.string().max(200),
    headers: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
    commonHeaders: z.object({ messageId: z.string().nullish() }).nullish(),
  }),
  bounce: z.object({ bounceType: z.string(), bouncedRecipients: recipients, timestamp: z.string().nullish() }).nullish(),
  complaint: z
    .object({ complainedRecipients: recipients, complaintFeedbackType: z.string().nullish(), timestamp: z.string().nullish() })
    .nullish(),
});

/** `message`: JSON text inside an SNS message; `id` is that message's. */
export function eventsOfSes(message: string, id: string): MailEvent[] {
  const { data: event } = payload.safeParse(parsed(message));
  if (!event) return [];
  const { mail, bounce, complaint } = event;
  const type = event.notificationType ?? event.eventType;
  const ours = mail.headers?.find(({ name }) => name.toLowerCase() === "message-id")?.value ?? mail.commonHeaders?.messageId;
  const list = (kind: MailEvent["kind"], about: z.output<typeof recipients>, at: string | null | undefined): MailEvent[] =>
    about.map(({ emailAddress }, index) => ({
      key: `ses:${id}:${index}`.slice(0, 300),
      kind,
      // each of our emails has one recipient; with several the delivery is ambiguous
      delivery: about.length === 1 ? deliveryIn(ours) : null,
      remote: about.length === 1 ? mail.messageId : null,
      email: bareAddress(emailAddress),
      at: momentOf(at),
    }));
  if (type === "Bounce" && bounce)
    return list(bounce.bounceType === "Permanent" ? "hard" : "soft", bounce.bouncedRecipients, bounce.timestamp);
  // "not-spam": the recipient moved it out of the spam folder
  if (type === "Complaint" && complaint && complaint.complaintFeedbackType !== "not-spam")
    return list("complaint", complaint.complainedRecipients, complaint.timestamp);
  return [];
}

const bareAddress = (text: string): string => /<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim();
