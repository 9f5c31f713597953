import type { User } from "@supabase/supabase-js";
import type { Profile } from "#contract/profile.ts";

/** A profile out of a session's user: the name is the full name, or the e-mail's part before the @. Source: specification, section 4. */
export function profileFromUser(user: Pick<User, "id" | "email" | "user_metadata" | "created_at">): Profile {
  const email = user.email ?? "";
  return {
    user_id: user.id,
    full_name: text(user.user_metadata.full_name) ?? email.split("@")[0] ?? "",
    email,
    job_title: null,
    company_name: text(user.user_metadata.company_name),
    avatar_url: text(user.user_metadata.avatar_url),
    created_at: user.created_at,
  };
}

const text = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);
