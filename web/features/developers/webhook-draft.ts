import { z } from "zod";
import { changedWebhook, type Webhook, type WebhookEvent, type WebhookKind } from "#contract/webhooks.ts";

const { url, name } = changedWebhook.shape;
/** Text fields of the form. */
export const webhookForm = z.object({ url: url.unwrap(), name: name.unwrap() });
/** For an existing chat: its secret URL may stay empty. */
export const chatEditForm = z.object({ url: z.union([z.literal(""), url.unwrap()]), name: name.unwrap() });

/** Kept when the dialog closes by accident. */
export interface WebhookDraft {
  url: string;
  name: string;
  events: readonly WebhookEvent[];
  tags: readonly string[];
  kind: WebhookKind;
}

export const newDraft = (kind: WebhookKind): WebhookDraft => ({ url: "", name: "", events: ["post.published"], tags: [], kind });

export const toDraft = ({ url, name, events, tags, kind }: Webhook): WebhookDraft => ({ url, name, events, tags: tags ?? [], kind });
