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

const offLabels: Readonly<Record<(typeof offReasons)[number], Pick<StatusLabel, "label" | "reason">>> = {
  by_hand: { label: "Turned off" },
  gone: { label: "Off", reason: "it returned 410 Gone" },
  failing: { label: "Off", reason: "deliveries failed for three days" },
};

export interface StatusLabel {
  tone: "ok" | "warn" | "danger" | "muted";
  icon: IconName;
  label: string;
  /** Shown after the time. */
  reason?: string;
}

export function webhookStatus({ enabled, off_reason, failing_since, last_success_at, waiting }: Webhook): StatusLabel {
  if (!enabled) {
    return {
      tone: off_reason === "by_hand" || off_reason === null ? "muted" : "danger",
      icon: "times-circle",
      ...offLabels[off_reason ?? "by_hand"],
    };
  }
  if (failing_since !== null) return { tone: "danger", icon: "exclamation-triangle", label: "Failing" };
  if (last_success_at !== null) return { tone: "ok", icon: "check-circle", label: "Working" };
  return { tone: "muted", icon: "circle", label: waiting > 0 ? "Sending" : "No deliveries yet" };
}

export function deliveryStatus({ state, status, error, tries }: Delivery): StatusLabel {
  const response = status !== null ? String(status) : error === null ? "" : "No response";
  switch (state) {
    case "done":
      return { tone: "ok", icon: "check-circle", label: `Delivered${response && ` · ${response}`}` };
    case "failed":
      return { tone: "danger", icon: "times-circle", label: `Failed${response && ` · ${response}`}` };
    case "dropped":
      return { tone: "muted", icon: "circle", label: "Not sent" };
    default:
      return tries.length > 0
        ? { tone: "warn", icon: "clock", label: `Retrying${response && ` · ${response}`}` }
        : { tone: "muted", icon: "clock", label: "Sending" };
  }
}

/** Custom name, or the URL's host. */
export function titleOf({ name, url }: Pick<Webhook, "name" | "url">): string {
  return name || (URL.canParse(url) ? new URL(url).host : url);
}
