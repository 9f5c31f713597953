import type { Delivery, offReasons, SentEvent, Webhook, WebhookKind } from "#contract/webhooks.ts";
import type { IconName } from "../../ui/icon.tsx";

export const eventLabels: Readonly<Record<SentEvent, { label: string; note: string }>> = {
  "post.published": { label: "Post published", note: "Sent once, after the undo window." },
  "post.updated": { label: "Published post changed", note: "A published post was edited or restored." },
  "post.unpublished": { label: "Post unpublished", note: "It was archived, deleted or moved back to draft." },
  "post.scheduled": { label: "Post scheduled", note: "Title and date only, without content." },
  "subscriber.confirmed": { label: "Subscriber confirmed", note: "Includes the email address, which is personal data." },
  "subscriber.left": { label: "Subscriber unsubscribed", note: "Includes the email address, which is personal data." },
  "webhook.ping": { label: "Test", note: "Sent on demand." },
};

/** Chat names and how to find a channel's URL. */
export const chatLabels: Readonly<
  Record<Exclude<WebhookKind, "webhook">, { name: string; how: string; placeholder: string; docs: string }>
> = {
  slack: {
    name: "Slack",
    how: "In Slack: Apps → Incoming Webhooks → Add to Slack, choose a channel, and copy the Webhook URL.",
    placeholder: "https://hooks.slack.com/services/…",
    docs: "https://api.slack.com/messaging/webhooks",
  },
  discord: {
    name: "Discord",
    how: "In Discord: the channel's settings → Integrations → Webhooks → New Webhook → Copy Webhook URL.",
    placeholder: "https://discord.com/api/webhooks/…",
    docs: "https://support.discord.com/hc/en-us/articles/228383668",
  },
  teams: {
    name: "Microsoft Teams",
    how: "In Teams: the channel's menu → Workflows → “Send webhook alerts to a channel”, and copy the URL.",
    placeholder: "https://….logic.azure.com/workflows/…",
    docs: "https://support.microsoft.com/office/8ae491c7-0394-4861-ba59-055e33f75498",
  },
};

const offLabels: Readonly<Record<(typeof offReasons)[number], Pick<StatusLabel, "words" | "why">>> = {
  by_hand: { words: "Turned off" },
  gone: { words: "Off", why: "it returned 410 Gone" },
  failing: { words: "Off", why: "deliveries failed for three days" },
};

export interface StatusLabel {
  look: "ok" | "warn" | "bad" | "quiet";
  icon: IconName;
  words: string;
  /** Shown after the time. */
  why?: string;
}

export function webhookStatus({ enabled, off_reason, failing_since, last_success_at, waiting }: Webhook): StatusLabel {
  if (!enabled) {
    return {
      look: off_reason === "by_hand" || off_reason === null ? "quiet" : "bad",
      icon: "times-circle",
      ...offLabels[off_reason ?? "by_hand"],
    };
  }
  if (failing_since !== null) return { look: "bad", icon: "exclamation-triangle", words: "Failing" };
  if (last_success_at !== null) return { look: "ok", icon: "check-circle", words: "Working" };
  return { look: "quiet", icon: "circle", words: waiting > 0 ? "Sending" : "No deliveries yet" };
}

export function deliveryStatus({ state, status, error, tries }: Delivery): StatusLabel {
  const response = status !== null ? String(status) : error === null ? "" : "No response";
  switch (state) {
    case "done":
      return { look: "ok", icon: "check-circle", words: `Delivered${response && ` · ${response}`}` };
    case "failed":
      return { look: "bad", icon: "times-circle", words: `Failed${response && ` · ${response}`}` };
    case "dropped":
      return { look: "quiet", icon: "circle", words: "Not sent" };
    default:
      return tries.length > 0
        ? { look: "warn", icon: "clock", words: `Retrying${response && ` · ${response}`}` }
        : { look: "quiet", icon: "clock", words: "Sending" };
  }
}

/** Custom name, or the URL's host. */
export function titleOf({ name, url }: Pick<Webhook, "name" | "url">): string {
  return name || (URL.canParse(url) ? new URL(url).host : url);
}
