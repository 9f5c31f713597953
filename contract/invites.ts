import { z } from "zod";
import { email as emailAddress } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { managers, roles } from "./kinds.ts";
import { invitesAtOnce } from "./limits.ts";

/** admin can be given by the owner only. Source: product decision 2. */
export const invitedRoles = ["admin", "editor", "viewer"] as const;
const invitedRole = z.enum(invitedRoles, { error: "Please choose viewer, editor or admin" });

/** Malformed tokens become "", which gets the same response as any wrong token. */
const tokenShape = /^[\w-]{1,200}$/;
const tokenOrNone = (value: string): string => (tokenShape.test(value) ? value : "");
const tokenInPath = z.string().transform(tokenOrNone);
const tokenInBody = z.string({ error: "No invitation token found" }).transform(tokenOrNone);

/** Forms send "" for empty fields. */
const blankToNull = (value: unknown) => (value === "" ? null : value);

/** State: `accepted_at`, `revoked_at`, else `expires_at`. */
export const invite = z.object({
  id,
  role: z.enum(invitedRoles),
  email: z.string().nullable(),
  created_by_name: z.string().nullable(),
  created_at: time,
  expires_at: time,
  accepted_at: time.nullable(),
  revoked_at: time.nullable(),
});
export type Invite = z.infer<typeof invite>;

/** The only response with the token. `url` is the link to share. */
export const newInvite = z.object({
  id,
  role: z.enum(invitedRoles),
  email: z.string().nullable(),
  created_at: time,
  expires_at: time,
  token: z.string(),
  url: z.string(),
});
export type NewInvite = z.infer<typeof newInvite>;

const inviteTerms = {
  /** Only this address can use the link; it's emailed if a mail transport is configured. */
  email: z.preprocess(blankToNull, emailAddress.nullish()),
  expires_at: z.preprocess(blankToNull, time.nullish()),
  isAdmin: z.boolean().default(false),
};

export const inviteInput = z.object({ role: invitedRole.default("viewer"), ...inviteTerms });
export const inviteLinkInput = inviteInput.extend({ workspaceId: id });
export type InviteInput = z.input<typeof inviteInput>;

const notAddresses = (words: string[]): string =>
  `${new Intl.ListFormat("en").format(words)} ${words.length === 1 ? "isn't a valid email address" : "aren't valid email addresses"}`;

const emails = z
  .array(z.string().trim().toLowerCase())
  .transform((words) => [...new Set(words)])
  .superRefine((words, { addIssue }) => {
    const wrong = words.filter((word) => !emailAddress.safeParse(word).success);
    if (words.length === 0) addIssue("Please enter an email address");
    else if (wrong.length > 0) addIssue(notAddresses(wrong));
    else if (words.length > invitesAtOnce) addIssue(`Please enter at most ${invitesAtOnce} addresses`);
  });

/** As typed or pasted: separated by commas, semicolons, spaces or lines. */
export const pastedEmails = z
  .string({ error: "Please enter an email address" })
  .transform((text) => text.split(/[\s,;]+/).filter(Boolean))
  .pipe(emails);

const createdInvite = z.object({
  invite: newInvite,
  /** true: emailed to `invite.email`; false: share the link yourself. */
  mailed: z.boolean(),
  /** An open invitation to this address was updated; earlier links still work, with the new terms. */
  renewed: z.boolean(),
});

/** `invited_by` null: the account was deleted. */
export const inviteInfo = z.object({
  workspace_id: id,
  workspace_name: z.string(),
  invited_role: z.enum(roles),
  invited_by: z.string().nullable(),
});
export type InviteInfo = z.infer<typeof inviteInfo>;

const joined = z.object({ success: z.literal(true), workspaceId: id });
const joining = ["invalid_invitation", "wrong_invitation_account", "already_member"] as const;

export const inviteEndpoints = {
  create: endpoint("POST /api/team/{accountId}/invites", {
    summary: "Invite someone, by email if an address is given; an open invitation to that address is updated",
    access: managers,
    limit: "invite",
    idempotent: true,
    body: inviteInput,
    status: 201,
    response: createdInvite.extend({ success: z.literal(true) }),
    errors: ["already_member"],
  }),
  createMany: endpoint("POST /api/team/{accountId}/invites/batch", {
    summary: "Invite several addresses by email, all or none; open invitations are updated, members skipped",
    access: managers,
    limit: "invite",
    idempotent: true,
    body: z.object({ role: invitedRole.default("viewer"), isAdmin: inviteTerms.isAdmin, emails }),
    status: 201,
    /** `members`: addresses of people who are in the team. */
    response: z.object({ success: z.literal(true), invites: z.array(createdInvite), members: z.array(z.string()) }),
  }),
  createLink: endpoint("POST /api/team/{accountId}/invite", {
    summary: "Create an invitation link",
    access: managers,
    limit: "invite",
    idempotent: true,
    body: inviteLinkInput,
    status: 201,
    response: createdInvite.extend({ success: z.literal(true) }),
    errors: ["already_member"],
  }),
  list: endpoint("GET /api/team/{accountId}/invites", {
    summary: "List invitations, newest first, in any state",
    access: managers,
    response: z.object({ invites: z.array(invite) }),
  }),
  setRole: endpoint("PATCH /api/team/{accountId}/invites/{inviteId}/role", {
    summary: "Change the role of an open invitation; only the owner can change to or from admin",
    access: managers,
    body: z.object({ role: invitedRole }),
    response: z.object({ success: z.literal(true), invite: z.object({ id, role: z.enum(invitedRoles) }) }),
    errors: ["invalid_invitation"],
  }),
  revoke: endpoint("DELETE /api/team/{accountId}/invites/{inviteId}", {
    summary: "Revoke an invitation; no effect on one that is already used, revoked or expired",
    access: managers,
    response: success,
  }),
  read: endpoint("GET /api/team/invites/{token}", {
    summary: "Read an invitation",
    access: "public",
    limit: "invitation",
    params: z.object({ token: tokenInPath }),
    response: inviteInfo,
    errors: ["invalid_invitation"],
  }),
  validate: endpoint("GET /api/team/invite/validate/{token}", {
    summary: "Check if an invitation can be used",
    access: "public",
    limit: "invitation",
    params: z.object({ token: tokenInPath }),
    response: inviteInfo.extend({ success: z.literal(true) }),
    errors: ["invalid_invitation"],
  }),
  accept: endpoint("POST /api/team/invites/{token}/accept", {
    summary: "Accept an invitation; repeating the call returns the same response",
    access: "signed-in",
    limit: "invitation",
    params: z.object({ token: tokenInPath }),
    response: z.object({ success: z.literal(true), workspace_id: id }),
    errors: joining,
  }),
  join: endpoint("POST /api/team/join", {
    summary: "Accept an invitation by its token",
    access: "signed-in",
    limit: "invitation",
    body: z.object({ token: tokenInBody }),
    response: joined,
    errors: joining,
  }),
  joinSession: endpoint("POST /api/team/join/session", {
    summary: "Accept an invitation by a token, or by the one used at sign-up",
    access: "signed-in",
    limit: "invitation",
    body: z.object({ token: tokenInBody.optional() }).optional(),
    response: joined,
    errors: joining,
  }),
} as const;
