import { createContext, use, useEffect } from "react";
import { IDLE_BLOCKER, type Blocker, type BlockerFunction } from "react-router-dom";

/** The router's single blocker, shared between app/leave-guard.tsx and the open page. */
export interface LeaveGuard {
  setBlocking: (blocks: BlockerFunction | undefined) => void;
  blocked: Blocker;
  /** True while a navigation is blocked or under way after its question. */
  pending: boolean;
}

export const LeaveGuardContext = createContext<LeaveGuard>({ setBlocking: () => undefined, blocked: IDLE_BLOCKER, pending: false });

/** Router state of a switch through the switcher or palette. */
export interface SwitchState {
  chosen: true;
}

/** Blocks navigations while mounted; show a question while the result is `blocked`. */
export function useUnsavedGuard(blocks: BlockerFunction): Blocker {
  const { setBlocking: hold, blocked } = use(LeaveGuardContext);
  useEffect(() => {
    hold(blocks);
    return () => hold(undefined);
  }, [hold, blocks]);
  return blocked;
}

/** True if another navigation would replace a pending one. */
export const useIsNavigationPending = (): boolean => use(LeaveGuardContext).pending;
