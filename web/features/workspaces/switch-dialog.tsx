import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";

interface SwitchDialogProps {
  /** The workspace that is about to be entered. */
  name: string;
  onSwitch: () => void;
  onStay: () => void;
}

/** Asks before another workspace takes the place of this one. */
export function SwitchDialog({ name, onSwitch, onStay }: SwitchDialogProps) {
  return (
    <Dialog
      open
      title="Switch workspace?"
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay}>Stay here</Button>
          <Button variant="primary" onClick={onSwitch}>
            Switch workspace
          </Button>
        </>
      }
    >
      <p>
        This leads to <strong>{name}</strong>. What you do there is seen by its members.
      </p>
    </Dialog>
  );
}
