import { useEffect } from "react";

const afterMs = 1_000;

/** Preloads chunks an open post may need later: offline or after a deployment they can't be fetched. */
export function usePreload(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.allSettled([
        import("../../../ui/toaster.tsx"),
        import("../../posts/search/search-palette.tsx"),
        import("../toolbar/shortcuts-dialog.tsx"),
        import("../../session/unsaved-drafts.tsx"),
        import("../../account/session-ended-dialog.tsx"),
        import("../../workspaces/switch-dialog.tsx"),
      ]);
    }, afterMs);
    return () => clearTimeout(timer);
  }, []);
}
