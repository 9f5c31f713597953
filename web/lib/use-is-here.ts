import { useCallback, useContext } from "react";
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation, type RouterState } from "react-router-dom";
import { useLatest } from "./use-latest.ts";

/**
 * Whether the router is still at the page that asks, and about to stay there. A page that somebody leaves remains on the screen until the next
 * one is drawn; what its timers do until then must not take the person back.
 */
export function useIsHere(): () => boolean {
  const router = useContext(DataRouterContext)?.router;
  const here = useLatest(useLocation().pathname);
  return useCallback(
    () => router === undefined || (isAtRest(router.state) && router.state.location.pathname === here.current),
    [router, here],
  );
}

/** Nobody is on the way elsewhere, or asked whether to go. */
const isAtRest = ({ navigation, blockers }: RouterState): boolean =>
  navigation.state === "idle" && [...blockers.values()].every(({ state }) => state === "unblocked");
