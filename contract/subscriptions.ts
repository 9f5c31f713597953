export const frequencies = ["instant", "daily", "weekly"] as const;
export type Frequency = (typeof frequencies)[number];

export const frequencyLabels: Readonly<Record<Frequency, string>> = {
  instant: "Each update, as it is published",
  daily: "Once a day, when there is news",
  weekly: "Once a week, when there is news",
};

export const isFrequency = (value: unknown): value is Frequency => frequencies.includes(value as Frequency);

export const subscriptionActions = ["confirm", "save", "leave", "return", "erase"] as const;
export type SubscriptionAction = (typeof subscriptionActions)[number];

export const isSubscriptionAction = (value: unknown): value is SubscriptionAction =>
  subscriptionActions.includes(value as SubscriptionAction);

export const subscriberStatuses = ["pending", "active", "paused", "left", "suppressed"] as const;
export type SubscriberStatus = (typeof subscriberStatuses)[number];
