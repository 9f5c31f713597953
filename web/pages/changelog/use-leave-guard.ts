import { useCallback, type RefObject } from "react";
import type { Blocker, BlockerFunction } from "react-router-dom";
import { useUnsavedGuard } from "../../lib/leave-guard.ts";
import type { EditorLocationState } from "./edit-post-page.tsx";

/**
 * Holds a navigation while something is unsaved. A ref, because a navigation can follow a save before the next render.
 * The step from a new post to its own address is no leaving: it carries this visit's key.
 */
export function useLeaveGuard(dirty: RefObject<boolean>, editorKey: string): Blocker {
  const holds = useCallback<BlockerFunction>(
    ({ currentLocation, nextLocation }) => {
      const stays = (nextLocation.state as EditorLocationState | null)?.editorKey === editorKey;
      return dirty.current && !stays && currentLocation.pathname !== nextLocation.pathname;
    },
    [dirty, editorKey],
  );
  return useUnsavedGuard(holds);
}
