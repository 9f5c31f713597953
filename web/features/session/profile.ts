import useSWR, { type SWRResponse } from "swr";
import type { User } from "@supabase/supabase-js";
import { errorCatalogue } from "#contract/errors.ts";
import { profileEndpoints, type Profile } from "#contract/profile.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { hasSessionCookie } from "../../lib/has-session-cookie.ts";
import { supabaseBrowser } from "../../lib/supabase-browser.ts";
import { useKeptReads } from "../../lib/use-kept-reads.ts";

export const profileKey = profileEndpoints.me.path;

/** The signed-in person, asked for once per session and shared by all who ask. Source: specification, section 4. */
export function useProfile(): SWRResponse<Profile, ApiError> {
  useKeptReads();
  return useSWR<Profile, ApiError>(profileKey, loadProfile, {
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  });
}

/** The profile, or one made of the session's metadata when the call fails. Throws ApiError `unauthenticated` without a session. */
async function loadProfile(): Promise<Profile> {
  if (!hasSessionCookie()) throw new ApiError(401, "unauthenticated", errorCatalogue.unauthenticated.sentence);
  try {
    return (await call(profileEndpoints.me)).profile;
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthenticated") throw error;
    const fallback = await sessionProfile();
    if (!fallback) throw error;
    console.warn("The profile could not be read; showing what the session knows.", error);
    return fallback;
  }
}

async function sessionProfile(): Promise<Profile | null> {
  try {
    const { data } = await (await supabaseBrowser()).auth.getSession();
    return data.session ? profileFromUser(data.session.user) : null;
  } catch {
    return null;
  }
}

/** A profile out of a session's user: the name is the full name, or the email's part before the @. Source: specification, section 4. */
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

/** On pages open to everybody: the signed-in person, or null. Under a key of its own, so that the guard never takes an old "nobody" for its answer. */
export function useVisitor(): SWRResponse<Profile | null, ApiError> {
  useKeptReads();
  return useSWR<Profile | null, ApiError>([profileKey, "visitor"], whoIsThere, { revalidateOnFocus: false, shouldRetryOnError: false });
}

async function whoIsThere(): Promise<Profile | null> {
  try {
    return await loadProfile();
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthenticated") return null;
    throw error;
  }
}
