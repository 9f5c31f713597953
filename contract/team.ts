import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles } from "./kinds.ts";

/** Source: specification, section 3 ("Team member"). */
export const teamMember = z.object({
  user_id: id,
  full_name: z.string(),
  /** For owners and admins only, else null. */
  email: z.string().nullable(),
  role: z.enum(roles),
  avatar_url: z.string().nullable(),
  created_at: time,
});
export type TeamMember = z.infer<typeof teamMember>;

/** Admins are invited, ownership is transferred. Source: specification, section 5. */
export const assignableRoles = ["editor", "viewer"] as const;

const params = z.object({ id });
const memberParams = z.object({ id, memberId: id });

/** `{id}` and `{accountId}` are the workspace's id (product decision 1). */
export const teamEndpoints = {
  account: endpoint({
    method: "GET",
    path: "/api/team/workspace/{workspaceId}/account",
    summary: "Read a workspace's account id, which equals its own",
    access: roles,
    params: z.object({ workspaceId: id }),
    status: 200,
    response: z.object({ accountId: id }),
  }),
  role: endpoint({
    method: "GET",
    path: "/api/team/{id}/role",
    summary: "Read your role, by account",
    access: roles,
    params,
    status: 200,
    response: z.object({ role: z.enum(roles) }),
  }),
  members: endpoint({
    method: "GET",
    path: "/api/team/{id}/team",
    summary: "List members, owner first; email addresses for owners and admins only",
    access: ["owner", "admin", "editor"],
    params,
    status: 200,
    response: z.object({ members: z.array(teamMember) }),
    errors: ["forbidden"],
  }),
  setRole: endpoint({
    method: "PATCH",
    path: "/api/team/{id}/members/{memberId}/role",
    summary: "Change a member's role to editor or viewer",
    access: ["owner"],
    params: memberParams,
    body: z.object({ role: z.enum(assignableRoles, { error: "Please choose editor or viewer" }) }),
    status: 200,
    response: z.object({ success: z.literal(true), member: z.object({ user_id: id, role: z.enum(roles) }) }),
    errors: ["forbidden", "owner_required"],
  }),
  removeMember: endpoint({
    method: "DELETE",
    path: "/api/team/{id}/members/{memberId}",
    summary: "Remove a member; the owner can't be removed",
    access: ["owner"],
    params: memberParams,
    status: 200,
    response: success,
    errors: ["forbidden", "owner_required"],
  }),
  leave: endpoint({
    method: "POST",
    path: "/api/team/{id}/leave",
    summary: "Leave a workspace; the owner has to transfer ownership first",
    access: roles,
    params,
    status: 200,
    response: success,
    errors: ["owner_required"],
  }),
  handOver: endpoint({
    method: "POST",
    path: "/api/team/{id}/owner",
    summary: "Transfer ownership to another member; you become an admin",
    access: ["owner"],
    params,
    body: z.object({ memberId: id }),
    status: 200,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
