import { createContext, use, useEffect } from "react";
import { IDLE_BLOCKER, type Blocker, type BlockerFunction } from "react-router-dom";

/** The one blocker that the router takes, shared: app/leave-guard.tsx has it and asks the open page. */
export interface LeaveGuard {
  /** The open page says which navigations it holds; undefined: none. */
  hold: (holds: BlockerFunction | undefined) => void;
  /** The navigation that it holds, blocked until its question is answered. */
  blocked: Blocker;
  /** A navigation waits for whatever question, or is under way after it. */
  held: boolean;
}

export const LeaveGuardContext = createContext<LeaveGuard>({ hold: () => undefined, blocked: IDLE_BLOCKER, held: false });

/** The router state of a switch that the person chose by name. */
export interface SwitchState {
  chosen: true;
}

/** Holds navigations for as long as the component is shown; show a question while the answer is `blocked`. */
export function useUnsavedGuard(holds: BlockerFunction): Blocker {
  const { hold, blocked } = use(LeaveGuardContext);
  useEffect(() => {
    hold(holds);
    return () => hold(undefined);
  }, [hold, holds]);
  return blocked;
}

/** Whether another navigation would take the place of one that waits. */
export const useIsHeld = (): boolean => use(LeaveGuardContext).held;
