import useSWR, { type SWRResponse } from "swr";
import { profileEndpoints, type Profile } from "#contract/profile.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { supabaseBrowser } from "../../lib/supabase-browser.ts";
import { profileFromUser } from "./fallback-profile.ts";

export const profileKey = profileEndpoints.me.path;

/** The signed-in person, asked for once per session and shared by all who ask. Source: specification, section 4. */
export function useProfile(): SWRResponse<Profile, ApiError> {
  return useSWR<Profile, ApiError>(profileKey, loadProfile, {
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  });
}

/** The profile, or one made of the session's metadata when the call fails. Throws ApiError `unauthenticated` without a session. */
export async function loadProfile(): Promise<Profile> {
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
