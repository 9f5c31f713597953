import { useEffect, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { authEndpoints } from "#contract/auth.ts";
import { paths } from "../lib/paths.ts";
import { PageLoading } from "../ui/page-loading.tsx";
import type { SignOutState } from "../features/account/use-sign-out.ts";
import { call } from "../lib/api-client.ts";
import { goTo } from "../lib/go-to.ts";
import { hasSessionCookie } from "../lib/has-session-cookie.ts";
import { storeInvite } from "../lib/stored-invite.ts";
import { storeRequest } from "../lib/stored-request.ts";
import { toasts } from "../lib/toasts.ts";
import { clearCachedReads } from "../lib/clear-cached-reads.ts";
import { clearUserData } from "./forget-person.ts";

const sessionMayContinue =
  "This browser is signed out, but we couldn't end the session. To be safe, sign in and choose 'Sign out everywhere else' in your profile settings.";

/** Ends the session; reachable only through useSignOut, so no foreign link can sign a user out. A page of its own, since leaving a page may still save with the session. */
export function Component() {
  const request = useLocation().state as SignOutState | null;
  const navigate = useNavigate();
  const started = useRef(false);

  useEffect(() => {
    if (!request || started.current) return;
    started.current = true;
    async function leave({ to, invite, request }: SignOutState) {
      let atProvider: string | undefined;
      try {
        atProvider = (await call(authEndpoints.logout)).url;
      } catch (error) {
        if (hasSessionCookie()) {
          toasts.error("Sign out failed", error instanceof Error ? error.message : undefined);
          return navigate(-1);
        }
        toasts.error("Sign out failed", sessionMayContinue);
      }
      clearUserData();
      if (invite) storeInvite(invite);
      await clearCachedReads();
      if (atProvider !== undefined && request === undefined) return goTo(atProvider);
      await navigate(request === undefined ? to : paths.auth({ redirectTo: storeRequest(request) }), { replace: true });
    }
    void leave(request);
  }, [request, navigate]);

  return request ? <PageLoading /> : <Navigate to={paths.workspaces} replace />;
}
