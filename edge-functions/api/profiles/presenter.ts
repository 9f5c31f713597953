import type { SignedInUser } from "#contract/auth.ts";
import type { Profile } from "#contract/profile.ts";
import type { ProfileRow } from "./queries.ts";

/** The email address comes from the token: profiles are visible to others. */
export const presentProfile = (row: ProfileRow, email: string): Profile => ({ ...row, email });

export function presentUser(row: ProfileRow, email = ""): SignedInUser {
  return { id: row.user_id, email, full_name: row.full_name };
}
