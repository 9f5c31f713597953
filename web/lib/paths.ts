export type SettingsPage =
  | "approvals"
  | "security"
  | "tags"
  | "templates"
  | "access"
  | "domain"
  | "email"
  | "api-keys"
  | "webhooks"
  | "chat"
  | "assistants"
  | "export"
  | "backup"
  | "plan"
  | "danger";

/** Source: specification, section 2 (route table). */
export const paths = {
  home: "/",
  auth: (query: { type?: "signup" | "signin"; returnUrl?: string; token?: string; redirectTo?: string } = {}) => withQuery("/auth", query),
  singleSignOn: (query: { redirectTo?: string } = {}) => withQuery("/auth/single-sign-on", query),
  secondStep: (query: string) => `/auth/second-step?${query}`,
  confirm: "/auth/confirm",
  undoEmailChange: "/auth/undo-email-change",
  signOut: "/auth/sign-out",
  forgotPassword: "/forgot-password",
  newPassword: "/auth/new-password",
  onboarding: "/onboarding",
  workspaces: "/workspaces",
  join: (token: string) => withQuery("/join", { token }),
  joinComplete: (token?: string) => withQuery("/join/complete", { token }),
  anyWorkspace: "/workspace",
  dashboard: (workspaceId: string) => `/workspace/${workspaceId}/dashboard`,
  changelog: (workspaceId: string) => `/workspace/${workspaceId}/changelog`,
  newPost: (workspaceId: string) => `/workspace/${workspaceId}/changelog/new`,
  newPostFrom: (workspaceId: string, template: string) => withQuery(`/workspace/${workspaceId}/changelog/new`, { template }),
  editPost: (workspaceId: string, postId: string) => `/workspace/${workspaceId}/changelog/edit/${postId}`,
  widget: (workspaceId: string) => `/workspace/${workspaceId}/widget`,
  appearance: (workspaceId: string) => `/workspace/${workspaceId}/appearance`,
  analytics: (workspaceId: string) => `/workspace/${workspaceId}/analytics`,
  subscribers: (workspaceId: string) => `/workspace/${workspaceId}/subscribers`,
  team: (workspaceId: string) => `/workspace/${workspaceId}/team`,
  webhook: (workspaceId: string, webhookId: string) => `/workspace/${workspaceId}/settings/webhooks/${webhookId}`,
  audit: (workspaceId: string) => `/workspace/${workspaceId}/audit`,
  importPosts: (workspaceId: string) => `/workspace/${workspaceId}/import`,
  settings: (workspaceId: string, page?: SettingsPage) => `/workspace/${workspaceId}/settings${page ? `/${page}` : ""}`,
  editPostAnywhere: (postId: string) => `/changelog/edit/${postId}`,
  upgrade: (query: { workspace?: string; "add-ons"?: string } = {}) => withQuery("/upgrade", query),
  profile: "/settings",
  security: "/settings/security",
  accountAccess: "/settings/access",
  operator: "/operator",
  /** Consent page for an assistant, with the assistant's query. */
  authorize: (query: string) => `/oauth/authorize?${query}`,
  apiReference: "/developers",
} as const;

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}
