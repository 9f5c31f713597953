import { useEffect, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { authEndpoints } from "#contract/auth.ts";
import { paths } from "../lib/paths.ts";
import { PageLoading } from "../components/page-loading.tsx";
import type { SignOutState } from "../features/session/use-sign-out.ts";
import { call } from "../lib/api-client.ts";
import { hasSessionCookie } from "../lib/has-session-cookie.ts";
import { keepInvite } from "../lib/kept-invite.ts";
import { keepRequest } from "../lib/kept-request.ts";
import { toasts } from "../lib/toasts.ts";
import { forgetReads } from "../lib/forget-reads.ts";
import { forgetPerson } from "./forget-person.ts";

const goesOnElsewhere =
  "This browser is signed out, but the session itself could not be ended. To be sure, sign in again and choose 'Sign out everywhere else' in your profile settings.";

/**
 * Ends the session and goes on to /auth; reached only through useSignOut, so that no link from elsewhere signs anybody out.
 * An address of its own, because leaving a page asks about what is unsaved there, and saving it needs the session.
 */
export function Component() {
  const wish = useLocation().state as SignOutState | null;
  const navigate = useNavigate();
  const begun = useRef(false);

  useEffect(() => {
    if (!wish || begun.current) return;
    begun.current = true;
    async function leave({ to, invite, request }: SignOutState) {
      try {
        await call(authEndpoints.logout);
      } catch (error) {
        if (hasSessionCookie()) {
          toasts.error("Sign out failed", error instanceof Error ? error.message : undefined);
          return navigate(-1);
        }
        toasts.error("Sign out failed", goesOnElsewhere); // without its cookie there is nothing to go back to
      }
      forgetPerson();
      if (invite) keepInvite(invite);
      await forgetReads();
      await navigate(request === undefined ? to : paths.auth({ redirectTo: keepRequest(request) }), { replace: true });
    }
    void leave(wish);
  }, [wish, navigate]);

  return wish ? <PageLoading /> : <Navigate to={paths.workspaces} replace />;
}
