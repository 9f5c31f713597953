import { z } from "zod";
import { email as emailAddress } from "./auth.ts";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles } from "./kinds.ts";

/** Roles an invitation can give; admin only when the owner invites. Source: product decision 2. */
export const invitedRoles = ["admin", "editor", "viewer"] as const;
const invitedRole = z.enum(invitedRoles, { error: "Please choose viewer, editor or admin" });

const inviters = ["owner", "admin"] as const;
const accountParams = z.object({ accountId: id });

/** An invitation's token as it stands in a link. One that no invitation can have becomes "", which is answered like every wrong one. */
const tokenShape = /^[\w-]{1,200}$/;
const tokenOrNone = (value: string): string => (tokenShape.test(value) ? value : "");
const tokenInPath = z.string().transform(tokenOrNone);
const tokenInBody = z.string({ error: "No invitation token found" }).transform(tokenOrNone);

/** Forms send what they have nothing for as "". */
const blankToNull = (value: unknown) => (value === "" ? null : value);

/** An invitation on the team page. What became of it: `accepted_at`, `revoked_at`, else `expires_at`. */
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

/** An invitation that was just made: the only time its token is told. `url` is the link to hand on. */
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
  /** Only whoever owns this address can use the link, and gets it by mail where a mail transport is configured. */
  email: z.preprocess(blankToNull, emailAddress.nullish()),
  /** Seven days from now unless given; within a year. */
  expires_at: z.preprocess(blankToNull, time.nullish()),
  isAdmin: z.boolean().default(false),
};

export const inviteInput = z.object({ role: invitedRole.default("viewer"), ...inviteTerms });
export const inviteLinkInput = inviteInput.extend({ workspaceId: id });
export type InviteInput = z.input<typeof inviteInput>;

const made = z.object({
  success: z.literal(true),
  invite: newInvite,
  /** Whether the link was sent to `invite.email`; if not, hand it on yourself. */
  mailed: z.boolean(),
  /** The address had an open invitation: it is the same one, with these terms from now on; links that were sent before open it, too. */
  renewed: z.boolean(),
});

/** Enough for the page that asks whether to join. */
export const inviteInfo = z.object({ workspace_id: id, workspace_name: z.string(), invited_role: z.enum(roles) });
export type InviteInfo = z.infer<typeof inviteInfo>;

const joined = z.object({ success: z.literal(true), workspaceId: id });
const joining = ["invalid_invitation", "wrong_invitation_account", "already_member"] as const;

export const inviteEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/api/team/{accountId}/invites",
    summary: "Invite somebody, by mail when an address is named; an address that has an open invitation gets that one again",
    access: inviters,
    limit: "invite",
    idempotent: true,
    params: accountParams,
    body: inviteInput,
    status: 201,
    response: made,
    errors: ["forbidden", "already_member"],
  }),
  createLink: endpoint({
    method: "POST",
    path: "/api/team/{accountId}/invite",
    summary: "Make an invitation link",
    access: inviters,
    limit: "invite",
    idempotent: true,
    params: accountParams,
    body: inviteLinkInput,
    status: 201,
    response: made,
    errors: ["forbidden", "already_member"],
  }),
  list: endpoint({
    method: "GET",
    path: "/api/team/{accountId}/invites",
    summary: "Invitations, newest first, whatever became of them",
    access: inviters,
    params: accountParams,
    status: 200,
    response: z.object({ invites: z.array(invite) }),
    errors: ["forbidden"],
  }),
  setRole: endpoint({
    method: "PATCH",
    path: "/api/team/{accountId}/invites/{inviteId}/role",
    summary: "Change the role that an open invitation gives; to and from admin only the owner may",
    access: inviters,
    params: accountParams.extend({ inviteId: id }),
    body: z.object({ role: invitedRole }),
    status: 200,
    response: z.object({ success: z.literal(true), invite: z.object({ id, role: z.enum(invitedRoles) }) }),
    errors: ["forbidden", "invalid_invitation"],
  }),
  revoke: endpoint({
    method: "DELETE",
    path: "/api/team/{accountId}/invites/{inviteId}",
    summary: "Revoke an invitation; revoking one that is over changes nothing",
    access: inviters,
    params: accountParams.extend({ inviteId: id }),
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
  read: endpoint({
    method: "GET",
    path: "/api/team/invites/{token}",
    summary: "What an invitation is for",
    access: "public",
    limit: "invitation",
    params: z.object({ token: tokenInPath }),
    status: 200,
    response: inviteInfo,
    errors: ["invalid_invitation"],
  }),
  validate: endpoint({
    method: "GET",
    path: "/api/team/invite/validate/{token}",
    summary: "Whether an invitation can be used, and what for",
    access: "public",
    limit: "invitation",
    params: z.object({ token: tokenInPath }),
    status: 200,
    response: inviteInfo.extend({ success: z.literal(true) }),
    errors: ["invalid_invitation"],
  }),
  accept: endpoint({
    method: "POST",
    path: "/api/team/invites/{token}/accept",
    summary: "Join with an invitation; asking again after having joined gives the same answer",
    access: "signed-in",
    limit: "invitation",
    params: z.object({ token: tokenInPath }),
    status: 200,
    response: z.object({ success: z.literal(true), workspace_id: id }),
    errors: joining,
  }),
  join: endpoint({
    method: "POST",
    path: "/api/team/join",
    summary: "Join with the token of an invitation",
    access: "signed-in",
    limit: "invitation",
    body: z.object({ token: tokenInBody }),
    status: 200,
    response: joined,
    errors: joining,
  }),
  joinSession: endpoint({
    method: "POST",
    path: "/api/team/join/session",
    summary: "Join with a token, or with the one that the account was signed up with",
    access: "signed-in",
    limit: "invitation",
    body: z.object({ token: tokenInBody.optional() }).optional(),
    status: 200,
    response: joined,
    errors: joining,
  }),
} as const;
