import { z } from "zod";
import { fullName, loginInput } from "./auth.ts";
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

/** Where a person is signed in. `last_used_at` follows within the hour; `user_agent` is null where the auth service has not recorded it. */
export const personSession = z.object({
  id,
  user_agent: z.string().nullable(),
  created_at: time,
  last_used_at: time,
  /** The one that asks. */
  current: z.boolean(),
});
export type PersonSession = z.infer<typeof personSession>;

/** Something that acts in a person's place, or that they have let others in by, in one workspace. */
export const accountAccess = z.object({
  kind: z.enum(["api_key", "assistant", "invitation", "preview_link"]),
  id,
  name: z.string(),
  workspace_id: id,
  workspace_name: z.string(),
  /** When its secret was made: of a rotated key the last time, of an invitation that of its newest link. */
  made_at: time,
  last_used_at: time.nullable(),
  /** Null: never. */
  expires_at: time.nullable(),
});
export type AccountAccess = z.infer<typeof accountAccess>;

/** `jobTitle` null takes it away. */
export const updateProfileInput = z
  .object({ fullName: fullName.optional(), jobTitle: line("Your job title is required", jobTitleMaxLength).nullable().optional() })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), { error: "There is nothing to change" });

/** The password is the current one. */
export const changeEmailInput = loginInput.pick({ email: true, password: true });

export const deleteAccountInput = loginInput.pick({ password: true });

export const profileEndpoints = {
  me: endpoint({
    method: "GET",
    path: "/api/profiles/me",
    summary: "The signed-in person's profile",
    access: "signed-in",
    status: 200,
    response: z.object({ success: z.literal(true), profile }),
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/profiles/me",
    summary: "Change the name or the job title (null: none); absent fields stay",
    access: "signed-in",
    body: updateProfileInput,
    status: 200,
    response: z.object({ success: z.literal(true), profile }),
  }),
  changeEmail: endpoint({
    method: "POST",
    path: "/api/profiles/me/email",
    summary:
      "Have a link sent to another email address to sign in with; the change counts once it was opened, and the old address can undo it for seven days",
    access: "signed-in",
    limit: "changeEmail",
    body: changeEmailInput,
    status: 200,
    response: success,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/profiles/me",
    summary: "Delete the account for good; `password` is the current one. Owned workspaces need another owner first",
    access: "signed-in",
    limit: "currentPassword",
    body: deleteAccountInput,
    status: 200,
    response: success,
    errors: ["owner_required"],
  }),
  uploadAvatar: endpoint({
    method: "POST",
    path: "/api/profiles/me/avatar",
    summary: "Set the avatar: one PNG, JPEG, WebP or GIF under 2 MB",
    access: "signed-in",
    limit: "upload",
    multipart: "image",
    status: 201,
    response: z.object({ success: z.literal(true), avatar_url: z.string() }),
    errors: ["file_not_image"],
  }),
  removeAvatar: endpoint({
    method: "DELETE",
    path: "/api/profiles/me/avatar",
    summary: "Take the avatar away; the initials stand in for it",
    access: "signed-in",
    status: 200,
    response: success,
  }),
  sessions: endpoint({
    method: "GET",
    path: "/api/profiles/me/sessions",
    summary: "Where the person is signed in: this session first, then by last use",
    access: "signed-in",
    status: 200,
    response: z.object({ sessions: z.array(personSession) }),
  }),
  endSession: endpoint({
    method: "DELETE",
    path: "/api/profiles/me/sessions/{sessionId}",
    summary: "End one session: it is not renewed any more",
    access: "signed-in",
    params: z.object({ sessionId: id }),
    status: 200,
    response: success,
  }),
  endOtherSessions: endpoint({
    method: "DELETE",
    path: "/api/profiles/me/sessions",
    summary: "End every session but this one",
    access: "signed-in",
    status: 200,
    response: success,
  }),
  access: endpoint({
    method: "GET",
    path: "/api/profiles/me/access",
    summary: "API keys, assistants, open invitations and preview links that the person made since a moment, where they are a member",
    access: "signed-in",
    query: z.object({ since: time }),
    status: 200,
    response: z.object({ access: z.array(accountAccess) }),
  }),
  endAccess: endpoint({
    method: "DELETE",
    path: "/api/profiles/me/access",
    summary: "End all of them that were made since a moment, for good",
    access: "signed-in",
    query: z.object({ since: time }),
    status: 200,
    /** `ended` is how many. */
    response: z.object({ success: z.literal(true), ended: z.number().int() }),
  }),
} as const;
