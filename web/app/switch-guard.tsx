import { lazy, Suspense, useSyncExternalStore } from "react";
import { useBlocker, useLocation, type Location } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { heldPage } from "../lib/held-page.ts";

const SwitchDialog = lazy(() =>
  import("../features/workspaces/components/switch-dialog.tsx").then((module) => ({ default: module.SwitchDialog })),
);

/**
 * Asks before back, forward or a link leads into another workspace; choosing one in the switcher is an answer already.
 * An open post and a page with unsaved changes have a guard of their own, and the router takes one at a time.
 */
export function SwitchGuard({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { pathname } = useLocation();
  const held = useSyncExternalStore(heldPage.subscribe, heldPage.get);
  return held || isPost(pathname) ? null : <Guard workspaces={workspaces} />;
}

function Guard({ workspaces }: { workspaces: readonly Workspace[] }) {
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const [from, to] = [workspaceOf(currentLocation), workspaceOf(nextLocation)];
    const chosen = historyAction !== "POP" && (nextLocation.state as SwitchState | null)?.chosen === true;
    return from !== undefined && to !== undefined && from !== to && !chosen;
  });
  if (blocker.state !== "blocked") return null;
  const name = workspaces.find(({ id }) => id === workspaceOf(blocker.location))?.name ?? "another workspace";
  return (
    <Suspense>
      <SwitchDialog name={name} onSwitch={blocker.proceed} onStay={blocker.reset} />
    </Suspense>
  );
}

/** The router state of a switch that the person chose by name. */
export interface SwitchState {
  chosen: true;
}

const isPost = (pathname: string): boolean => /\/changelog\/(new|edit\/[^/]+)$/.test(pathname);
const workspaceOf = ({ pathname }: Location): string | undefined => /^\/workspace\/([^/]+)\//.exec(`${pathname}/`)?.[1];
