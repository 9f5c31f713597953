import type { Subscriber } from "#contract/subscribers.ts";
import type { Frequency } from "#contract/subscriptions.ts";
import type { IconName } from "../../components/icon.tsx";

/** What a status is called, and what it means where that is not clear. */
export const statusWords: Readonly<Record<Subscriber["status"], { word: string; icon: IconName; note?: string }>> = {
  active: { word: "Subscribed", icon: "check-circle" },
  pending: { word: "Not confirmed", icon: "clock", note: "asked by mail; forgotten after seven days without an answer" },
  paused: { word: "Paused", icon: "exclamation-circle", note: "mails came back lately" },
  left: { word: "Left", icon: "sign-out" },
  suppressed: { word: "Blocked", icon: "times-circle", note: "mails came back or were reported" },
};

export const rhythmWords: Readonly<Record<Frequency, string>> = { instant: "Each update", daily: "Once a day", weekly: "Once a week" };
