import type { AssistantScope } from "#contract/oauth.ts";
import { scopeLabels } from "../developers/scope-labels.ts";

export const consentLabels: Readonly<Record<AssistantScope, { label: string; note: string }>> = {
  ...scopeLabels,
  "posts:read": { label: "Read posts", note: "All posts, including drafts, with tags and house style." },
  "posts:write": {
    label: "Write drafts",
    note: "Create and edit drafts, suggest changes to live posts, and request approval. Nothing goes live without a person.",
  },
  "posts:publish": {
    label: "Publish",
    note: "Publish and schedule posts, which can send emails. Without it, only people publish. It should ask you each time, but that depends on the app.",
  },
  "stats:read": { label: "Read analytics", note: "View and subscriber counts, without personal data." },
};
