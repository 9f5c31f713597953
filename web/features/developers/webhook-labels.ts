import type { Delivery, offReasons, SentEvent, Webhook, WebhookKind } from "#contract/webhooks.ts";
import type { IconName } from "../../components/icon.tsx";

/** What each event means, in plain words. */
export const eventWords: Readonly<Record<SentEvent, { label: string; note: string }>> = {
  "post.published": { label: "Post published", note: "Once a post, when the time to take it back is over." },
  "post.updated": { label: "Published post changed", note: "What readers see of it is different, or it is there again." },
  "post.unpublished": { label: "Post gone", note: "Archived, deleted or a draft again." },
  "post.scheduled": { label: "Post scheduled", note: "Its title and when; not its content." },
  "subscriber.confirmed": { label: "Subscriber confirmed", note: "With the address: personal data." },
  "subscriber.left": { label: "Subscriber left", note: "With the address: personal data." },
  "webhook.ping": { label: "Test", note: "Sent on demand." },
};

/** A chat by its name, and where its address is found. */
export const chatWords: Readonly<
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
    how: "In Teams: the channel's menu → Workflows → “Send webhook alerts to a channel”, and copy the address.",
    placeholder: "https://….logic.azure.com/workflows/…",
    docs: "https://support.microsoft.com/office/8ae491c7-0394-4861-ba59-055e33f75498",
  },
};

const offWords: Readonly<Record<(typeof offReasons)[number], Pick<StateWords, "words" | "why">>> = {
  by_hand: { words: "Switched off" },
  gone: { words: "Off", why: "it answered that it is gone (410)" },
  failing: { words: "Off", why: "nothing arrived for three days" },
};

export interface StateWords {
  look: "ok" | "warn" | "bad" | "quiet";
  icon: IconName;
  words: string;
  /** Said behind since when it is so. */
  why?: string;
}

/** How a webhook is. */
export function stateOf({ enabled, off_reason, failing_since, last_success_at, waiting }: Webhook): StateWords {
  if (!enabled) {
    return {
      look: off_reason === "by_hand" || off_reason === null ? "quiet" : "bad",
      icon: "times-circle",
      ...offWords[off_reason ?? "by_hand"],
    };
  }
  if (failing_since !== null) return { look: "bad", icon: "exclamation-triangle", words: "Failing" };
  if (last_success_at !== null) return { look: "ok", icon: "check-circle", words: "Arrives" };
  return { look: "quiet", icon: "circle", words: waiting > 0 ? "On its way" : "Nothing sent yet" };
}

/** How a delivery went. */
export function outcomeOf({ state, status, error, tries }: Delivery): StateWords {
  const answer = status !== null ? String(status) : error === null ? "" : "No answer";
  switch (state) {
    case "done":
      return { look: "ok", icon: "check-circle", words: `Arrived${answer && ` · ${answer}`}` };
    case "failed":
      return { look: "bad", icon: "times-circle", words: `Failed${answer && ` · ${answer}`}` };
    case "dropped":
      return { look: "quiet", icon: "circle", words: "Not sent" };
    default:
      return tries.length > 0
        ? { look: "warn", icon: "clock", words: `Will be tried again${answer && ` · ${answer}`}` }
        : { look: "quiet", icon: "clock", words: "On its way" };
  }
}

/** The name somebody gave it, else where it goes. */
export function titleOf({ name, url }: Pick<Webhook, "name" | "url">): string {
  return name || (URL.canParse(url) ? new URL(url).host : url);
}
