import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { authEndpoints } from "#contract/auth.ts";
import { paths } from "../../app/paths.ts";
import { call } from "../../lib/api-client.ts";
import { forgetInvite } from "../../lib/kept-invite.ts";
import { forgetWorkspace } from "../../lib/last-workspace.ts";
import { toasts } from "../../lib/toasts.ts";

/** Ends the session, leaves for /auth (or another address open to everybody) and forgets everything read. Says 'Sign out failed' otherwise. */
export function useSignOut(): (to?: string) => Promise<void> {
  const { mutate } = useSWRConfig();
  const navigate = useNavigate();
  return useCallback(
    async (to = paths.auth()) => {
      try {
        await call(authEndpoints.logout);
      } catch (error) {
        return toasts.error("Sign out failed", error instanceof Error ? error.message : undefined);
      }
      forgetWorkspace();
      forgetInvite();
      await navigate(to);
      await mutate(() => true, undefined, { revalidate: false });
    },
    [mutate, navigate],
  );
}
