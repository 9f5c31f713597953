import { Suspense, useCallback, useRef, useState, type ReactNode } from "react";
import { IDLE_BLOCKER, useBlocker, type BlockerFunction, type Location } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { LeaveGuardContext, type SwitchState } from "../lib/leave-guard.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const SwitchDialog = lazyPart(() => import("../features/workspaces/switch-dialog.tsx"), "SwitchDialog");

/** Asks before a navigation crosses workspaces (except through the switcher), then before it discards unsaved changes. Source: specification, section 2. */
export function LeaveGuard({ workspaces, children }: { workspaces: readonly Workspace[]; children: ReactNode }) {
  const { workspace } = useCurrentWorkspace();
  const pageBlocker = useRef<BlockerFunction>(undefined);
  const hold = useCallback((blocks: BlockerFunction | undefined) => void (pageBlocker.current = blocks), []);
  const [questions, setQuestions] = useState({ crosses: false, unsaved: false });

  const blocker = useBlocker((move) => {
    const chosen = move.historyAction !== "POP" && (move.nextLocation.state as SwitchState | null)?.chosen === true;
    const crosses = (workspaceOf(move.nextLocation) ?? workspace.id) !== workspace.id && !chosen;
    const unsaved = pageBlocker.current?.(move) ?? false;
    setQuestions({ crosses, unsaved });
    return crosses || unsaved;
  });
  const { crosses, unsaved } = questions;

  return (
    <LeaveGuardContext value={{ setBlocking: hold, blocked: crosses ? IDLE_BLOCKER : blocker, pending: blocker.state !== "unblocked" }}>
      {children}
      {crosses && blocker.state === "blocked" && (
        <Suspense>
          <SwitchDialog
            name={nameOf(workspaces, blocker.location)}
            onSwitch={() => (unsaved ? setQuestions({ crosses: false, unsaved }) : blocker.proceed())}
            onStay={blocker.reset}
          />
        </Suspense>
      )}
    </LeaveGuardContext>
  );
}

const workspaceOf = ({ pathname }: Location): string | undefined => /^\/workspace\/([^/]+)\//.exec(`${pathname}/`)?.[1];
const nameOf = (workspaces: readonly Workspace[], to: Location) =>
  workspaces.find(({ id }) => id === workspaceOf(to))?.name ?? "another workspace";
