import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";

interface LeaveDialogProps {
  busy: boolean;
  onStay(): void;
  onLeave(): void;
  onSave(): void;
}

/** Leaving with unsaved changes asks first. */
export function LeaveDialog({ busy, onStay, onLeave, onSave }: LeaveDialogProps) {
  return (
    <Dialog
      open
      title="Leave without saving?"
      onClose={onStay}
      width="32rem"
      footer={
        <>
          <Button onClick={onStay}>Stay</Button>
          <Button onClick={onLeave}>Leave</Button>
          <Button variant="primary" busy={busy} onClick={onSave}>
            Save and leave
          </Button>
        </>
      }
    >
      <p>This post has changes that are not saved. If you leave, they stay on this device and are offered when you open the post again.</p>
    </Dialog>
  );
}
