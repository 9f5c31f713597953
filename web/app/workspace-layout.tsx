import { Suspense, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { Outlet, useParams } from "react-router-dom";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Failure } from "../ui/empty-state.tsx";
import { FullPage } from "../ui/page.tsx";
import { PageLoading } from "../ui/page-loading.tsx";
import { useProfile } from "../features/account/profile.ts";
import { RequiredNotice, useHiddenWorkspaces } from "../features/second-factor/required-notice.tsx";
import { useRole } from "../features/workspaces/use-role.ts";
import { useWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { CurrentWorkspaceContext } from "../features/workspaces/current-workspace.tsx";
import { lastWorkspaceId, rememberWorkspace } from "../lib/last-workspace.ts";
import { setMemberCookie } from "../lib/member-cookie.ts";
import { toasts } from "../lib/toasts.ts";
import { Frame } from "./frame.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { Overlays } from "./overlays.tsx";
import { paths } from "../lib/paths.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const UnsavedDrafts = lazyPart(() => import("../features/session/unsaved-drafts.tsx"), "UnsavedDrafts");

/** Frame of every workspace page. Without an id in the URL it takes the remembered workspace or the first. */
export function Component() {
  const { workspaceId = null } = useParams();
  const { data, error, mutate } = useWorkspaces();
  const workspaces = data?.workspaces;
  const selected = select(workspaces, workspaceId);
  const role = useRole(selected);
  const isShown = useDeferredValue(selected !== null); // the first render of the page yields to the browser
  const current = useMemo(
    () =>
      selected && {
        workspace: selected,
        role,
        canWrite: !selected.suspension && (role === "owner" || role === "admin" || role === "editor"),
      },
    [selected, role],
  );

  useEffect(() => {
    if (selected) rememberWorkspace(selected.id);
  }, [selected]);
  useEffect(() => {
    if (workspaces) setMemberCookie(workspaces.map(({ subdomain }) => subdomain));
  }, [workspaces]);
  useOnce(error !== undefined, () => toasts.error("Unable to load workspaces", error?.message));

  if (current && !isShown) return <PageLoading />;
  if (!current) {
    if (error) return <ListFailed message={error.message} onRetry={() => void mutate()} />;
    if (!workspaces) return <PageLoading />;
    return <NoWorkspace requestedId={workspaceId} />;
  }
  return (
    <CurrentWorkspaceContext value={current}>
      <Frame workspaces={workspaces ?? []}>
        <LeaveGuard workspaces={workspaces ?? []}>
          <Outlet />
          <Overlays workspaces={workspaces ?? []} />
        </LeaveGuard>
      </Frame>
    </CurrentWorkspaceContext>
  );
}

/** An unknown id selects nothing: another workspace must never replace it. */
function select(workspaces: readonly Workspace[] | undefined, id: string | null): Workspace | null {
  if (!workspaces) return null;
  if (id !== null) return workspaces.find((workspace) => workspace.id === id) ?? null;
  return chooseWorkspace(workspaces, null, lastWorkspaceId()) ?? null;
}

function ListFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <FullPage>
      <Failure level={1} title="Unable to load workspaces" text={message} action={<Button onClick={onRetry}>Try again</Button>} />
    </FullPage>
  );
}

function NoWorkspace({ requestedId: asked }: { requestedId: string | null }) {
  const { data: profile } = useProfile();
  const hidden = useHiddenWorkspaces();
  return (
    <FullPage>
      {hidden && <RequiredNotice hidden={hidden} />}
      <Failure
        level={1}
        drawing="signpost"
        title="No workspace found"
        text={asked !== null ? "This workspace doesn't exist, or you aren't a member of it." : "Please navigate to a workspace first"}
        action={
          <ButtonLink to={paths.workspaces} variant="primary">
            Go to Workspaces
          </ButtonLink>
        }
      />
      {asked !== null && profile && (
        <Suspense>
          <UnsavedDrafts workspaceId={asked} userId={profile.user_id} />
        </Suspense>
      )}
    </FullPage>
  );
}

/** Calls `act` each time `holds` turns true. */
function useOnce(holds: boolean, act: () => void) {
  const done = useRef(false);
  useEffect(() => {
    if (holds && !done.current) act();
    done.current = holds;
  });
}
