import { z } from "zod";
import { deliveryIn, type MailEvent, momentOf } from "./mail-event.ts";

const payload = z.object({
  RecordType: z.string(),
  ID: z.union([z.number(), z.string().max(100)]).nullish(),
  Type: z.string().nullish(),
  MessageID: z.string().max(200).nullish(),
  Email: z.string().nullish(),
  Recipient: z.string().nullish(),
  BouncedAt: z.string().nullish(),
  ChangedAt: z.string().nullish(),
  SuppressSending: z.boolean().nullish(),
  SuppressionReason: z.string().nullish(),
  Metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Payload = z.output<typeof payload>;

export function eventsOfPostmark(body: unknown): MailEvent[] {
  const { data: event } = payload.safeParse(body);
  const kind = event && kindOf(event);
  if (!event || !kind) return [];
  const { RecordType, ID, MessageID: remote = null, Metadata } = event;
  const at = event.BouncedAt ?? event.ChangedAt;
  const tag = Metadata?.["delivery"];
  return [
    {
      key: `postmark:${RecordType}:${ID ?? `${remote}:${kind}:${at}`}`.slice(0, 300),
      kind,
      delivery: deliveryIn(typeof tag === "string" ? tag : null),
      remote,
      email: event.Email ?? event.Recipient ?? null,
      at: momentOf(at),
    },
  ];
}

/** Bounce types about the address; auto-replies and similar are ignored. */
const kinds: Record<string, MailEvent["kind"]> = {
  HardBounce: "hard",
  BadEmailAddress: "hard",
  SpamComplaint: "complaint",
  Unsubscribe: "left",
  Transient: "soft",
  SoftBounce: "soft",
  DnsError: "soft",
  Blocked: "soft",
};

function kindOf({ RecordType, Type, SuppressSending, SuppressionReason }: Payload): MailEvent["kind"] | null {
  if (RecordType === "SpamComplaint") return "complaint";
  if (RecordType === "Bounce") return (Object.hasOwn(kinds, Type ?? "") && kinds[Type!]) || null;
  // Unsubscribed by Postmark's link; bounces and complaints have their own events.
  return RecordType === "SubscriptionChange" && SuppressSending === true && SuppressionReason === "ManualSuppression" ? "left" : null;
}
