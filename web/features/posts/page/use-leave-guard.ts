import { useCallback, type RefObject } from "react";
import type { Blocker, BlockerFunction } from "react-router-dom";
import { useUnsavedGuard } from "../../../lib/leave-guard.ts";
import { visitAt, type EditorVisit } from "./editor-visit.ts";

/**
 * Holds a navigation that ends the visit while something is unsaved. A ref, because a navigation can follow a save before the next render.
 * The step from a new post to its own address is no leaving.
 */
export function useLeaveGuard(dirty: RefObject<boolean>, visit: EditorVisit): Blocker {
  const holds = useCallback<BlockerFunction>(
    ({ nextLocation }) => dirty.current && visitAt(nextLocation, visit)?.key !== visit.key,
    [dirty, visit],
  );
  return useUnsavedGuard(holds);
}
