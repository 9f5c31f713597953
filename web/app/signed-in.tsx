import { Suspense, useEffect, useState } from "react";
import { Navigate, Outlet, useLocation, useMatch } from "react-router-dom";
import { SWRConfig, useSWRConfig } from "swr";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button } from "../components/button.tsx";
import { Failure } from "../components/failure.tsx";
import { FullPage } from "../components/full-page.tsx";
import { PageLoading } from "../components/page-loading.tsx";
import { ApiError, onSessionEnded, sessionBegan } from "../lib/api-client.ts";
import { profileKey, useProfile } from "../features/session/profile.ts";
import { isSearchKey } from "../features/posts/toolbar/use-shortcuts.ts";
import { consentMayBeAsked } from "../features/consent/consent-popup.ts";
import { useSessionWatch } from "../features/session/use-session-watch.ts";
import { startOver } from "../lib/go-to.ts";
import { hasSessionCookie } from "../lib/has-session-cookie.ts";
import { keepRequest } from "../lib/kept-request.ts";
import { toasts } from "../lib/toasts.ts";
import { useCall } from "../lib/use-call.ts";
import { lazyPart } from "../components/lazy-part.tsx";

const SessionEndedDialog = lazyPart(
  () => import("../features/session/session-ended-dialog.tsx"),
  (part) => part.default,
);

/** Everything behind the sign-in: cached reads, the guard, the watch over the session. */
export function Component() {
  return (
    <SWRConfig value={{ shouldRetryOnError }}>
      <Guard />
    </SWRConfig>
  );
}

/** Asking again helps only when there was no answer or the server was at fault. */
const shouldRetryOnError = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Lets only signed-in people through; others go to /auth and come back to the address they wanted. */
function Guard() {
  const { data: profile, error, mutate } = useProfile();
  const session = useSession(profile?.user_id);
  useSearchOutside();
  if (session.replaced) return <PageLoading />; // nobody sees what another person had open
  if (profile) {
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
        <Failure
          title="Tidings could not be opened"
          text={error.message}
          action={<Button onClick={() => void mutate()}>Try again</Button>}
        />
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

/** Begins what the page behind the guard will ask for anyway, so that it does not wait for the profile first; shows nothing. */
function EarlyReads() {
  const inside = useMatch("/workspace/:workspaceId/*")?.params.workspaceId;
  const onDashboard = useMatch("/workspace/:workspaceId/dashboard") !== null;
  const options = inside === undefined ? null : { params: { workspaceId: inside } };
  useCall(workspaceEndpoints.list, {});
  useCall(workspaceEndpoints.role, options);
  useCall(workspaceEndpoints.dashboard, onDashboard ? options : null);
  return null;
}

/** The palette is of a workspace: where there is none, its key says so. Source: specification, section 5. */
function useSearchOutside(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isSearchKey(event) || event.defaultPrevented) return; // in a workspace the palette has taken it
      event.preventDefault();
      toasts.error("No workspace found", "Please navigate to a workspace first");
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function ToSignIn() {
  const { pathname, search, hash } = useLocation();
  // What an assistant asks for is kept here: it may be longer than the ways back through signing in carry.
  const [wanted] = useState(() => {
    const query = search.slice(1);
    return pathname + search === paths.authorize(query) ? keepRequest(query) : pathname + search + hash;
  });
  useEffect(() => consentMayBeAsked, []); // nobody is asked for an assistant's sake now
  return <Navigate to={paths.auth({ redirectTo: wanted })} replace />;
}

/**
 * The session can end while a page is open: sign in again over it, so that nothing typed is lost. When another person has signed in
 * meanwhile, the page goes and the app begins anew; what the first one wrote waits on this device under their name.
 */
function useSession(userId: string | undefined) {
  const [ended, setEnded] = useState(false);
  const { mutate } = useSWRConfig();
  useEffect(() => (userId === undefined ? undefined : onSessionEnded(() => setEnded(true))), [userId]);

  function signedInAgain() {
    sessionBegan();
    setEnded(false);
    toasts.success("You are signed in again", "Nothing was lost. Please repeat what you were doing.");
    void mutate((key) => key !== profileKey); // reads that failed meanwhile are asked for again
  }
  const replaced = useSessionWatch(userId, () => ended && signedInAgain());
  useEffect(() => {
    if (replaced) void beginAnew();
  }, [replaced]);
  return { ended, replaced, signedInAgain };
}

async function beginAnew() {
  try {
    (await import("../pages/forget-person.ts")).forgetPerson();
  } finally {
    startOver(paths.workspaces);
  }
}
