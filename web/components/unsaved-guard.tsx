import { type ReactNode, Suspense, useEffect, useState } from "react";
import type { BlockerFunction } from "react-router-dom";
import { useUnsavedGuard } from "../lib/leave-guard.ts";
import { lazyPart } from "./lazy-part.tsx";

const dialogModule = () => import("./leave-dialog.tsx");
const LeaveDialog = lazyPart(
  () => dialogModule(),
  (part) => part.LeaveDialog,
);

const elsewhere: BlockerFunction = ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname;

interface UnsavedGuardProps {
  /** Answers whether it worked. Without it the question is only whether to leave. */
  onSave?: () => Promise<boolean>;
  /** What is not saved, and what becomes of it. */
  children: ReactNode;
}

/** Rendered while there is something unsaved: asks before a navigation or the tab's end takes it away. */
export function UnsavedGuard({ onSave, children }: UnsavedGuardProps) {
  const blocker = useUnsavedGuard(elsewhere);
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    dialogModule().catch(() => {}); // there when it is needed, also without a connection
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
