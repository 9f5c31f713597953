import type { SignedInUser } from "#contract/auth.ts";
import type { Profile } from "#contract/profile.ts";
import type { ProfileRow } from "./queries.ts";

/** The address stands in the token, not in the profile: nobody else may read it there. */
export const presentProfile = (row: ProfileRow, email: string): Profile => ({ ...row, email });

export function presentUser(row: ProfileRow, email = ""): SignedInUser {
  return { id: row.user_id, email, full_name: row.full_name };
}
