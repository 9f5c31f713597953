/** Every address of the web app, typed. Source: specification, section 2 (route table). */
export const paths = {
  home: "/",
  auth: (query: { type?: "signup" | "signin"; returnUrl?: string; token?: string; redirectTo?: string } = {}) => withQuery("/auth", query),
  confirm: "/auth/confirm",
  undoEmailChange: "/auth/undo-email-change",
  authCallback: "/auth/callback",
  signOut: "/auth/sign-out",
  forgotPassword: "/forgot-password",
  newPassword: "/auth/new-password",
  onboarding: "/onboarding",
  workspaces: "/workspaces",
  join: (token: string) => withQuery("/join", { token }),
  joinComplete: (token?: string) => withQuery("/join/complete", { token }),
  /** The remembered workspace, or the first. */
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
  developers: (workspaceId: string) => `/workspace/${workspaceId}/developers`,
  webhook: (workspaceId: string, webhookId: string) => `/workspace/${workspaceId}/developers/webhooks/${webhookId}`,
  audit: (workspaceId: string) => `/workspace/${workspaceId}/audit`,
  importPosts: (workspaceId: string) => `/workspace/${workspaceId}/import`,
  settings: (workspaceId: string) => `/workspace/${workspaceId}/settings`,
  /** Who gets the monthly report. */
  reportSettings: (workspaceId: string) => `/workspace/${workspaceId}/settings#reports`,
  /** Where its daily copies go. */
  backupSettings: (workspaceId: string) => `/workspace/${workspaceId}/settings#backup`,
  /** Under which names of its own readers find it. */
  domainSettings: (workspaceId: string) => `/workspace/${workspaceId}/settings#domain`,
  editPostAnywhere: (postId: string) => `/changelog/edit/${postId}`,
  upgrade: (query: { workspace?: string; "add-ons"?: string } = {}) => withQuery("/upgrade", query),
  profile: "/settings",
  /** What acts for the person beside their sessions. */
  accountAccess: "/settings/access",
  /** Where an assistant asks to be let in; the query is the assistant's. */
  authorize: (query: string) => `/oauth/authorize?${query}`,
  /** What programs can do, for anybody to read. */
  apiReference: "/developers",
} as const;

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}
