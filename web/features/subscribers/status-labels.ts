import type { ComponentProps } from "react";
import type { Subscriber } from "#contract/subscribers.ts";
import type { Frequency } from "#contract/subscriptions.ts";
import type { StatusLabel } from "../../ui/status-label.tsx";

export const statusLabels: Readonly<Record<Subscriber["status"], ComponentProps<typeof StatusLabel>>> = {
  active: { label: "Subscribed", icon: "check-circle", tone: "ok" },
  pending: { label: "Unconfirmed", icon: "clock", tone: "warn", note: "Confirmation sent. Deleted after 7 days without a response." },
  paused: { label: "Paused", icon: "exclamation-circle", tone: "warn", note: "Recent emails bounced." },
  left: { label: "Unsubscribed", icon: "sign-out", tone: "muted" },
  suppressed: { label: "Blocked", icon: "times-circle", tone: "danger", note: "Emails bounced or were reported as spam." },
};

export const frequencyLabels: Readonly<Record<Frequency, string>> = { instant: "Each update", daily: "Once a day", weekly: "Once a week" };
