import { Suspense, useDeferredValue, useEffect, useState } from "react";
import { Navigate, Outlet, useLocation, useMatch } from "react-router-dom";
import { SWRConfig, useSWRConfig } from "swr";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button } from "../ui/button.tsx";
import { Failure } from "../ui/empty-state.tsx";
import { FullPage } from "../ui/page.tsx";
import { PageLoading } from "../ui/page-loading.tsx";
import { ApiError, onSessionEnded, sessionBegan } from "../lib/api-client.ts";
import { profileKey, useProfile } from "../features/account/profile.ts";
import { isSearchKey } from "../features/editor/toolbar/use-shortcuts.ts";
import { recheckConsent } from "../features/consent/consent-popup.ts";
import { useSessionWatch } from "../features/account/use-session-watch.ts";
import { startOver } from "../lib/go-to.ts";
import { hasSessionCookie } from "../lib/has-session-cookie.ts";
import { storeRequest } from "../lib/stored-request.ts";
import { toasts } from "../lib/toasts.ts";
import { useCall } from "../lib/use-call.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const SessionEndedDialog = lazyPart(() => import("../features/account/session-ended-dialog.tsx"), "default");

/** Layout of every signed-in route: SWR cache, guard, session watch. */
export function Component() {
  return (
    <SWRConfig value={{ shouldRetryOnError }}>
      <Guard />
    </SWRConfig>
  );
}

/** Retry only without an answer or on a server error. */
const shouldRetryOnError = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Redirects to /auth without a session, and back after sign-in. */
function Guard() {
  const { data: profile, error, mutate } = useProfile();
  const isShown = useDeferredValue(profile !== undefined); // the first render of the page yields to the browser
  const session = useSession(profile?.user_id);
  useSearchOutside();
  if (session.replaced) return <PageLoading />; // hides what the previous user had open
  if (profile && isShown) {
    return (
      <>
        <Outlet />
        <Suspense>{session.ended && <SessionEndedDialog onSignedIn={session.signedInAgain} />}</Suspense>
      </>
    );
  }
  if (error?.code === "unauthenticated") return <ToSignIn />;
  if (error) {
    return (
      <FullPage>
        <Failure title="Couldn't open Tidings" text={error.message} action={<Button onClick={() => void mutate()}>Try again</Button>} />
      </FullPage>
    );
  }
  return (
    <>
      <PageLoading />
      {hasSessionCookie() && <EarlyReads />}
    </>
  );
}

/** Prefetches what the page will read, so that it doesn't wait for the profile. */
function EarlyReads() {
  const inside = useMatch("/workspace/:workspaceId/*")?.params.workspaceId;
  const onDashboard = useMatch("/workspace/:workspaceId/dashboard") !== null;
  const options = inside === undefined ? null : { params: { workspaceId: inside } };
  useCall(workspaceEndpoints.list, {});
  useCall(workspaceEndpoints.role, options);
  useCall(workspaceEndpoints.dashboard, onDashboard ? options : null);
  return null;
}

/** Search key outside a workspace. Source: specification, section 5. */
function useSearchOutside(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSearchKey(event) || event.defaultPrevented) return;
      event.preventDefault();
      toasts.error("No workspace found", "Please navigate to a workspace first");
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  // Assistant requests are stored: their URL can be too long for the redirects of sign-in.
  const [redirectTo] = useState(() => {
    const query = search.slice(1);
    return pathname + search === paths.authorize(query) ? storeRequest(query) : pathname + search + hash;
  });
  useEffect(() => recheckConsent, []);
  return <Navigate to={paths.auth({ redirectTo: redirectTo })} replace />;
}

/** Shows a sign-in dialog over the page when the session ends, so that nothing typed is lost. Restarts the app when another user signed in. */
function useSession(userId: string | undefined) {
  const [ended, setEnded] = useState(false);
  const { mutate } = useSWRConfig();
  useEffect(() => (userId === undefined ? undefined : onSessionEnded(() => setEnded(true))), [userId]);

  function signedInAgain() {
    sessionBegan();
    setEnded(false);
    toasts.success("You're signed in again", "Nothing was lost. Please try again.");
    void mutate((key) => key !== profileKey); // revalidates reads that failed without a session
  }
  const replaced = useSessionWatch(userId, () => ended && signedInAgain());
  useEffect(() => {
    if (replaced) void restartApp();
  }, [replaced]);
  return { ended, replaced, signedInAgain };
}

async function restartApp() {
  try {
    (await import("../pages/forget-person.ts")).clearUserData();
  } finally {
    startOver(paths.workspaces);
  }
}
