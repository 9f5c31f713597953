import type { Invite, NewInvite } from "#contract/invites.ts";
import type { InviteRow, NewInviteRow } from "./queries.ts";
import { iso } from "../time.ts";

export function presentInvite(row: InviteRow): Invite {
  return {
    id: row.id,
    role: row.role,
    email: row.email,
    created_by_name: row.created_by_name,
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    accepted_at: iso(row.accepted_at),
    revoked_at: iso(row.revoked_at),
  };
}

/** `publicUrl` is the origin of the product: the link leads to its page /join. */
export function presentNewInvite(row: NewInviteRow, publicUrl: string): NewInvite {
  return {
    id: row.id,
    role: row.role,
    email: row.email,
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
    token: row.token,
    url: `${publicUrl}/join?token=${row.token}`,
  };
}
