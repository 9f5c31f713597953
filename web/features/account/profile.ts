import useSWR, { type SWRResponse } from "swr";
import { errorCatalogue } from "#contract/errors.ts";
import { profileEndpoints, type OwnProfile } from "#contract/profile.ts";
import type { SessionUser } from "#contract/stored-session.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { hasSessionCookie } from "../../lib/has-session-cookie.ts";
import { currentSession } from "../../lib/realtime.ts";
import { useClearableCache } from "../../lib/use-clearable-cache.ts";

export const profileKey = profileEndpoints.me.path;

/** Cached for the session. Source: specification, section 4. */
export function useProfile(): SWRResponse<OwnProfile, ApiError> {
  useClearableCache();
  return useSWR<OwnProfile, ApiError>(profileKey, loadProfile, {
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    shouldRetryOnError: false,
  });
}

/** The profile, or a fallback from session metadata. Throws ApiError `unauthenticated` without a session. */
async function loadProfile(): Promise<OwnProfile> {
  if (!hasSessionCookie()) throw new ApiError(401, "unauthenticated", errorCatalogue.unauthenticated.sentence);
  try {
    return (await call(profileEndpoints.me)).profile;
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthenticated") throw error;
    const user = currentSession()?.user;
    if (!user) throw error;
    console.warn("Couldn't load the profile; using session metadata.", error);
    return profileFromUser(user);
  }
}

/** Profile from session metadata; the name falls back to the email's local part. Source: specification, section 4. */
export function profileFromUser(user: SessionUser): OwnProfile {
  const email = user.email ?? "";
  return {
    user_id: user.id,
    full_name: text(user.user_metadata.full_name) ?? email.split("@")[0] ?? "",
    email,
    job_title: null,
    company_name: text(user.user_metadata.company_name),
    avatar_url: text(user.user_metadata.avatar_url),
    created_at: user.created_at,
    is_operator: false,
  };
}

const text = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);

/** Profile or null on public pages. Cache key: separate, so the guard never sees a cached null. */
export function useVisitor(): SWRResponse<OwnProfile | null, ApiError> {
  useClearableCache();
  return useSWR<OwnProfile | null, ApiError>([profileKey, "visitor"], loadVisitor, { revalidateOnFocus: false, shouldRetryOnError: false });
}

async function loadVisitor(): Promise<OwnProfile | null> {
  try {
    return await loadProfile();
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthenticated") return null;
    throw error;
  }
}
