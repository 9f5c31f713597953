/**
 * What a key may be allowed. It never gives more than the person who made it has at that moment; without `posts:publish` nothing that readers
 * see changes, whatever else the key may do. Source: decision "API keys".
 */
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
] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
