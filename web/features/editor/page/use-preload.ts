import { useEffect } from "react";

const afterMs = 10_000;

/**
 * Preloads chunks an open post may need later: offline or after a deployment they can't be fetched. On the first interaction or after a while, so
 * that the post opens first.
 */
export function usePreload(): void {
  useEffect(() => {
    const ended = new AbortController();
    const preload = () => {
      ended.abort();
      void Promise.allSettled([
        import("../../../ui/toaster.tsx"),
        import("../../../ui/confirm-dialog.tsx"),
        import("./leave-question.tsx"),
        import("../../comments/comments-sheet.tsx"),
        import("../../posts/publishing/publish-dialog.tsx"),
        import("../../posts/search/search-palette.tsx"),
        import("../toolbar/shortcuts-dialog.tsx"),
        import("../../session/conflict/conflict-dialog.tsx"),
        import("../../session/unsaved-drafts.tsx"),
        import("../../account/session-ended-dialog.tsx"),
        import("../../workspaces/switch-dialog.tsx"),
      ]);
    };
    const timer = setTimeout(preload, afterMs);
    ended.signal.addEventListener("abort", () => clearTimeout(timer));
    for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, preload, { signal: ended.signal });
    return () => ended.abort();
  }, []);
}
