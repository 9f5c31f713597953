import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, success, time } from "./fields.ts";
import { roles, writers } from "./kinds.ts";

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

/** `{id}` and `{accountId}` are the workspace's id (product decision 1). */
export const teamEndpoints = {
  account: endpoint("GET /api/team/workspace/{workspaceId}/account", {
    summary: "Read a workspace's account id, which equals its own",
    access: roles,
    response: z.object({ accountId: id }),
  }),
  role: endpoint("GET /api/team/{id}/role", {
    summary: "Read your role, by account",
    access: roles,
    response: z.object({ role: z.enum(roles) }),
  }),
  members: endpoint("GET /api/team/{id}/team", {
    summary: "List members, owner first; email addresses for owners and admins only",
    access: writers,
    response: z.object({ members: z.array(teamMember) }),
  }),
  setRole: endpoint("PATCH /api/team/{id}/members/{memberId}/role", {
    summary: "Change a member's role to editor or viewer",
    access: ["owner"],
    body: z.object({ role: z.enum(assignableRoles, { error: "Please choose editor or viewer" }) }),
    response: z.object({ success: z.literal(true), member: z.object({ user_id: id, role: z.enum(roles) }) }),
    errors: ["owner_required"],
  }),
  removeMember: endpoint("DELETE /api/team/{id}/members/{memberId}", {
    summary: "Remove a member; the owner can't be removed",
    access: ["owner"],
    response: success,
    errors: ["owner_required"],
  }),
  leave: endpoint("POST /api/team/{id}/leave", {
    summary: "Leave a workspace; the owner has to transfer ownership first",
    access: roles,
    response: success,
    errors: ["owner_required"],
  }),
  handOver: endpoint("POST /api/team/{id}/owner", {
    summary: "Transfer ownership to another member; you become an admin",
    access: ["owner"],
    body: z.object({ memberId: id }),
    response: success,
  }),
} as const;
