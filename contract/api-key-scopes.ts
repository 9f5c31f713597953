/** A key never exceeds the current rights of its creator. Without `posts:publish` it can't change anything readers see, without `access:write` not who they are. */
export const apiKeyScopes = [
  "posts:read",
  "posts:write",
  "posts:publish",
  "tags:write",
  "media:write",
  "subscribers:read",
  "subscribers:write",
  "stats:read",
  "webhooks:write",
  "access:write",
] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
