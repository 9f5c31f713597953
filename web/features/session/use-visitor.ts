import useSWR, { type SWRResponse } from "swr";
import type { Profile } from "#contract/profile.ts";
import { ApiError } from "../../lib/api-client.ts";
import { loadProfile, profileKey } from "./profile.ts";

/** On pages open to everybody: the signed-in person, or null. Under a key of its own, so that the guard never takes an old "nobody" for its answer. */
export function useVisitor(): SWRResponse<Profile | null, ApiError> {
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
