import type { SignedInUser } from "#contract/auth.ts";
import type { Profile } from "#contract/profile.ts";
import type { ProfileRow } from "./queries.ts";
import { iso } from "../time.ts";

/** The address stands in the token, not in the profile: nobody else may read it there. */
export function presentProfile(row: ProfileRow, email: string): Profile {
  return {
    user_id: row.user_id,
    full_name: row.full_name,
    email,
    job_title: row.job_title,
    company_name: row.company_name,
    avatar_url: row.avatar_url,
    created_at: iso(row.created_at),
  };
}

export function presentUser(row: ProfileRow, email = ""): SignedInUser {
  return { id: row.user_id, email, full_name: row.full_name };
}
