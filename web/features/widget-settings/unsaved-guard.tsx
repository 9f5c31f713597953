import { Suspense, useEffect, useState } from "react";
import type { BlockerFunction } from "react-router-dom";
import { useUnsavedGuard } from "../../lib/leave-guard.ts";
import { lazyPart } from "../../components/lazy-part.tsx";

const dialogModule = () => import("../../components/leave-dialog.tsx");
const LeaveDialog = lazyPart(
  () => dialogModule(),
  (part) => part.LeaveDialog,
);

const elsewhere: BlockerFunction = ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname;

/** Rendered while there is something unsaved: asks before a navigation or the tab's end takes it away. `onSave` answers whether it worked. */
export function UnsavedGuard({ onSave }: { onSave: () => Promise<boolean> }) {
  const blocker = useUnsavedGuard(elsewhere);
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    dialogModule().catch(() => {}); // there when it is needed, also without a connection
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
  if (blocker.state !== "blocked") return null;

  async function saveAndLeave() {
    setSaving(true);
    const saved = await onSave();
    setSaving(false);
    if (saved) blocker.proceed?.();
    else blocker.reset?.();
  }
  return (
    <Suspense>
      <LeaveDialog busy={saving} onStay={blocker.reset} onLeave={blocker.proceed} onSave={() => void saveAndLeave()}>
        The widget has changes that are not saved. If you leave, they are lost.
      </LeaveDialog>
    </Suspense>
  );
}
