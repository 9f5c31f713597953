import { type ReactNode, Suspense, useEffect, useState } from "react";
import type { BlockerFunction } from "react-router-dom";
import { useUnsavedGuard } from "../lib/leave-guard.ts";
import { lazyPart } from "./lazy-part.tsx";

const dialogModule = () => import("./leave-dialog.tsx");
const LeaveDialog = lazyPart(dialogModule, "LeaveDialog");

const isOtherPage: BlockerFunction = ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname;

interface UnsavedGuardProps {
  /** Returns true on success. Without it the dialog only asks whether to leave. */
  onSave?: () => Promise<boolean>;
  /** The consequence of leaving. */
  children?: ReactNode;
}

/** Asks before leaving while mounted. */
export function UnsavedGuard({ onSave, children = "Your changes aren't saved. If you leave, you'll lose them." }: UnsavedGuardProps) {
  const blocker = useUnsavedGuard(isOtherPage);
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    dialogModule().catch(() => {}); // prefetched, so that it works offline
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
  if (blocker.state !== "blocked") return null;

  async function saveAndLeave(save: () => Promise<boolean>) {
    setSaving(true);
    const saved = await save();
    setSaving(false);
    if (saved) blocker.proceed?.();
    else blocker.reset?.();
  }
  return (
    <Suspense>
      <LeaveDialog busy={saving} onStay={blocker.reset} onLeave={blocker.proceed} onSave={onSave && (() => void saveAndLeave(onSave))}>
        {children}
      </LeaveDialog>
    </Suspense>
  );
}
