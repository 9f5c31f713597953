import { z } from "zod";
import { changedWebhook, type Webhook, type WebhookEvent, type WebhookKind } from "#contract/webhooks.ts";

const { url, name } = changedWebhook.shape;
/** What is typed; the rest is chosen. */
export const typedWebhook = z.object({ url: url.unwrap(), name: name.unwrap() });
/** Of a chat that is there: its address is a secret, and stays unless another is pasted. */
export const typedChange = z.object({ url: z.union([z.literal(""), url.unwrap()]), name: name.unwrap() });

/** What somebody has filled in so far; stays when the dialog is closed by accident. */
export interface WebhookDraft {
  url: string;
  name: string;
  events: readonly WebhookEvent[];
  tags: readonly string[];
  kind: WebhookKind;
}

export const newDraft = (kind: WebhookKind): WebhookDraft => ({ url: "", name: "", events: ["post.published"], tags: [], kind });

export const draftOf = ({ url, name, events, tags, kind }: Webhook): WebhookDraft => ({ url, name, events, tags: tags ?? [], kind });
