import type { ApiKeyScope } from "#contract/api-key-scopes.ts";

interface ScopeWords {
  label: string;
  note: string;
}

/** What each permission means, in plain words. */
export const scopeWords: Readonly<Record<ApiKeyScope, ScopeWords>> = {
  "posts:read": { label: "Read posts", note: "All of them, drafts too, with their content." },
  "posts:write": { label: "Write drafts", note: "Make and change drafts. Nothing that readers see." },
  "posts:publish": { label: "Publish", note: "Publish, schedule and archive, and change what is live: readers see it, and may get mail." },
  "tags:write": { label: "Change tags", note: "Add, rename, merge and delete them." },
  "media:write": { label: "Upload images", note: "For posts." },
  "subscribers:read": { label: "Read subscribers", note: "Their addresses and what they chose. Personal data." },
  "subscribers:write": { label: "Add and remove subscribers", note: "Who is added is asked by mail first." },
  "stats:read": { label: "Read numbers", note: "Views and subscribers, as numbers." },
  "webhooks:write": { label: "Manage webhooks", note: "Add, change and delete those of this workspace." },
};

export const scopeGroups: readonly (readonly [string, readonly ApiKeyScope[]])[] = [
  ["Posts", ["posts:read", "posts:write", "posts:publish"]],
  ["Tags and images", ["tags:write", "media:write"]],
  ["Readers", ["subscribers:read", "subscribers:write"]],
  ["More", ["stats:read", "webhooks:write"]],
];
