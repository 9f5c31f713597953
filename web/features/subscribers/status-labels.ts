import type { ComponentProps } from "react";
import type { Subscriber } from "#contract/subscribers.ts";
import type { Frequency } from "#contract/subscriptions.ts";
import type { StateWord } from "../../components/state-word.tsx";

/** What a status is called, and what it means where that is not clear. */
export const statusWords: Readonly<Record<Subscriber["status"], ComponentProps<typeof StateWord>>> = {
  active: { word: "Subscribed", icon: "check-circle", tone: "ok" },
  pending: { word: "Not confirmed", icon: "clock", tone: "warn", note: "asked by mail; forgotten after seven days without an answer" },
  paused: { word: "Paused", icon: "exclamation-circle", tone: "warn", note: "mails came back lately" },
  left: { word: "Left", icon: "sign-out", tone: "muted" },
  suppressed: { word: "Blocked", icon: "times-circle", tone: "danger", note: "mails came back or were reported" },
};

export const rhythmWords: Readonly<Record<Frequency, string>> = { instant: "Each update", daily: "Once a day", weekly: "Once a week" };
