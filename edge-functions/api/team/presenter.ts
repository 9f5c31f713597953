import type { TeamMember } from "#contract/team.ts";
import type { MemberRow } from "./queries.ts";
import { iso } from "../time.ts";

export function presentMember(row: MemberRow): TeamMember {
  return {
    user_id: row.user_id,
    full_name: row.full_name,
    email: row.email,
    role: row.role,
    avatar_url: row.avatar_url,
    created_at: iso(row.created_at),
  };
}
