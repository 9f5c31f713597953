import type { ApiKeyScope } from "#contract/api-key-scopes.ts";

interface ScopeLabel {
  label: string;
  note: string;
}

export const scopeLabels: Readonly<Record<ApiKeyScope, ScopeLabel>> = {
  "posts:read": { label: "Read posts", note: "All posts and their content, including drafts." },
  "posts:write": { label: "Write drafts", note: "Create and edit drafts. Nothing readers see." },
  "posts:publish": { label: "Publish", note: "Publish, schedule, archive and edit live posts. Readers see changes and can get emails." },
  "tags:write": { label: "Manage tags", note: "Add, rename, merge and delete tags." },
  "media:write": { label: "Upload images", note: "For posts." },
  "subscribers:read": { label: "Read subscribers", note: "Email addresses and preferences. Personal data." },
  "subscribers:write": { label: "Add and remove subscribers", note: "New subscribers must confirm by email." },
  "stats:read": { label: "Read analytics", note: "View and subscriber counts." },
  "webhooks:write": { label: "Manage webhooks", note: "Add, edit and delete this workspace's webhooks." },
  "access:write": { label: "Manage access", note: "Read and change who can read the public changelog. Includes the secret link." },
};

export const scopeGroups: readonly (readonly [string, readonly ApiKeyScope[]])[] = [
  ["Posts", ["posts:read", "posts:write", "posts:publish"]],
  ["Tags and images", ["tags:write", "media:write"]],
  ["Readers", ["subscribers:read", "subscribers:write"]],
  ["Other", ["stats:read", "webhooks:write", "access:write"]],
];
