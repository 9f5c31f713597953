import { useCallback } from "react";
import type { Blocker, BlockerFunction } from "react-router-dom";
import { useUnsavedGuard } from "../../../lib/leave-guard.ts";
import { visitAt, type EditorVisit } from "./editor-visit.ts";

/**
 * Holds a navigation that ends the visit while something is unsaved. Asked then, because a navigation can follow a save before the next render.
 * The step from a new post to its own address is no leaving.
 */
export function useLeaveGuard(isDirty: () => boolean, visit: EditorVisit): Blocker {
  const holds = useCallback<BlockerFunction>(
    ({ nextLocation }) => isDirty() && visitAt(nextLocation, visit)?.key !== visit.key,
    [isDirty, visit],
  );
  return useUnsavedGuard(holds);
}
