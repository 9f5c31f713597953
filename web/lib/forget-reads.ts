import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { announceSession } from "./session-news.ts";

/**
 * Forgets everything that was read, because it belongs to the session before: at every sign-in and sign-out. Whatever is on the screen
 * would ask again; without that an answer of the last two seconds would still be shared with those who ask next. Other tabs hear of it.
 */
export function useForgetReads(): () => Promise<void> {
  const { mutate } = useSWRConfig();
  return useCallback(async () => {
    announceSession();
    await mutate(() => true, undefined);
  }, [mutate]);
}
