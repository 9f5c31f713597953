import { useEffect, useState } from "react";
import type { BlockerFunction } from "react-router-dom";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useUnsavedGuard } from "../../../lib/leave-guard.ts";

const elsewhere: BlockerFunction = ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname;

/** Rendered while there is something unsaved: asks before a navigation or the tab's end takes it away. `onSave` answers whether it worked. */
export function UnsavedGuard({ onSave }: { onSave: () => Promise<boolean> }) {
  const blocker = useUnsavedGuard(elsewhere);
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
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
    <Dialog
      open
      title="Leave without saving?"
      width="32rem"
      onClose={blocker.reset}
      footer={
        <>
          <Button onClick={blocker.reset}>Stay</Button>
          <Button onClick={blocker.proceed}>Leave</Button>
          <Button variant="primary" busy={saving} onClick={() => void saveAndLeave()}>
            Save and leave
          </Button>
        </>
      }
    >
      <p>The widget has changes that are not saved. If you leave, they are lost.</p>
    </Dialog>
  );
}
