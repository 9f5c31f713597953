import { z } from "zod";
import { fullName, loginInput, newPassword } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { jobTitleMaxLength } from "./limits.ts";

export const profile = z.object({
  user_id: id,
  full_name: z.string(),
  email: z.string(),
  job_title: z.string().nullable(),
  company_name: z.string().nullable(),
  avatar_url: z.string().nullable(),
  created_at: time,
});
export type Profile = z.infer<typeof profile>;

export const ownProfile = profile.extend({ is_operator: z.boolean() });
export type OwnProfile = z.infer<typeof ownProfile>;

/** `last_used_at` is updated within the hour; `user_agent` null: not recorded by the auth service. */
export const personSession = z.object({
  id,
  user_agent: z.string().nullable(),
  created_at: time,
  last_used_at: time,
  current: z.boolean(),
});
export type PersonSession = z.infer<typeof personSession>;

export const accountAccess = z.object({
  kind: z.enum(["api_key", "assistant", "invitation", "preview_link"]),
  id,
  name: z.string(),
  workspace_id: id,
  workspace_name: z.string(),
  /** Time of the current secret: the last rotation, or the newest link. */
  made_at: time,
  last_used_at: time.nullable(),
  expires_at: time.nullable(),
});
export type AccountAccess = z.infer<typeof accountAccess>;

/** Emails about someone's own work; those about a workspace or account can't be turned off. */
export const optionalEmails = ["mentioned", "review_asked", "review_decided"] as const;
export type OptionalEmail = (typeof optionalEmails)[number];
const emailChoices = z.object({ muted: z.array(z.enum(optionalEmails, { error: "Please choose from the list" })) });

/** `jobTitle` null removes it. */
export const updateProfileInput = z
  .object({ fullName: fullName.optional(), jobTitle: line("Your job title is required", jobTitleMaxLength).nullable().optional() })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), { error: "Nothing to change" });

export const changeEmailInput = loginInput.pick({ email: true, password: true });

export const deleteAccountInput = loginInput.pick({ password: true });

export const profileEndpoints = {
  me: endpoint("GET /api/profiles/me", {
    summary: "Read your profile",
    access: "signed-in",
    response: z.object({ success: z.literal(true), profile: ownProfile }),
  }),
  update: endpoint("PATCH /api/profiles/me", {
    summary: "Change your name or job title (null: none); absent fields stay",
    access: "signed-in",
    body: updateProfileInput,
    response: z.object({ success: z.literal(true), profile }),
  }),
  changeEmail: endpoint("POST /api/profiles/me/email", {
    summary: "Send a link to a new email address; opening it changes your sign-in, and the old address can undo it for seven days",
    access: "signed-in",
    limit: "changeEmail",
    body: changeEmailInput,
    response: success,
  }),
  changePassword: endpoint("PUT /api/profiles/me/password", {
    summary: "Set a new password; your other sessions end",
    details: "`currentPassword` isn't needed after a reset link, nor by an account without a password.",
    access: "signed-in",
    limit: "currentPassword",
    body: z.object({ password: newPassword, currentPassword: z.string().max(1_000).default("") }),
    response: success,
  }),
  remove: endpoint("DELETE /api/profiles/me", {
    summary: "Permanently delete the account; `password` is the current one. Owned workspaces need another owner first",
    access: "signed-in",
    limit: "currentPassword",
    body: deleteAccountInput,
    response: success,
    errors: ["owner_required"],
  }),
  emails: endpoint("GET /api/profiles/me/emails", {
    summary: "Read which emails you turned off",
    access: "signed-in",
    response: emailChoices,
  }),
  setEmails: endpoint("PUT /api/profiles/me/emails", {
    summary: "Choose which emails you get in all workspaces; `muted` are turned off",
    access: "signed-in",
    body: emailChoices,
    response: success,
  }),
  uploadAvatar: endpoint("POST /api/profiles/me/avatar", {
    summary: "Upload your avatar: one PNG, JPEG, WebP or GIF under 2 MB",
    access: "signed-in",
    limit: "upload",
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(true), avatar_url: z.string() }),
    errors: ["file_not_image"],
  }),
  removeAvatar: endpoint("DELETE /api/profiles/me/avatar", {
    summary: "Remove your avatar; initials are shown instead",
    access: "signed-in",
    response: success,
  }),
  sessions: endpoint("GET /api/profiles/me/sessions", {
    summary: "List your sessions: this one first, then by last use",
    access: "signed-in",
    response: z.object({ sessions: z.array(personSession) }),
  }),
  endSession: endpoint("DELETE /api/profiles/me/sessions/{sessionId}", {
    summary: "End one session",
    access: "signed-in",
    response: success,
  }),
  endOtherSessions: endpoint("DELETE /api/profiles/me/sessions", {
    summary: "End every session but this one",
    access: "signed-in",
    response: success,
  }),
  access: endpoint("GET /api/profiles/me/access", {
    summary: "List API keys, assistants, open invitations and preview links you created since a given time",
    access: "signed-in",
    query: z.object({ since: time }),
    response: z.object({ access: z.array(accountAccess) }),
  }),
  endAccess: endpoint("DELETE /api/profiles/me/access", {
    summary: "Permanently revoke all access you created since a given time",
    access: "signed-in",
    query: z.object({ since: time }),
    response: z.object({ success: z.literal(true), ended: z.number().int() }),
  }),
} as const;
