import { useContext } from "react";
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation } from "react-router-dom";

/**
 * Whether the router is still at the page that asks, and about to stay there. A page that somebody leaves remains on the screen until the next
 * one is drawn; what its timers do until then must not take the person back.
 */
export function useIsHere(): () => boolean {
  const context = useContext(DataRouterContext);
  const { pathname } = useLocation();
  return () => {
    const state = context?.router.state;
    return state === undefined || (state.navigation.state === "idle" && state.location.pathname === pathname);
  };
}
