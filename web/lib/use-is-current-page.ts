import { useCallback, useContext } from "react";
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation, type RouterState } from "react-router-dom";
import { useLatest } from "./use-latest.ts";

/** Returns a check for timers: false once the user navigates away. The page stays mounted until the next one renders. */
export function useIsCurrentPage(): () => boolean {
  const router = useContext(DataRouterContext)?.router;
  const here = useLatest(useLocation().pathname);
  return useCallback(
    () => router === undefined || (isAtRest(router.state) && router.state.location.pathname === here.current),
    [router, here],
  );
}

const isAtRest = ({ navigation, blockers }: RouterState): boolean =>
  navigation.state === "idle" && [...blockers.values()].every(({ state }) => state === "unblocked");
