import { useEffect } from "react";

const afterMs = 1_000; // the post comes first

/**
 * Fetches what an open post may need later: without a connection, or after a new version was installed, these parts could not be had any
 * more, and who writes must not meet a missing page then.
 */
export function usePreload(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.allSettled([
        import("../../../components/toaster.tsx"),
        import("../search/search-palette.tsx"),
        import("../toolbar/shortcuts-dialog.tsx"),
        import("../session/kept-texts.tsx"),
        import("../../session/session-ended-dialog.tsx"),
        import("../../workspaces/switch-dialog.tsx"),
      ]);
    }, afterMs);
    return () => clearTimeout(timer);
  }, []);
}
