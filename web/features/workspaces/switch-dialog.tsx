import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface SwitchDialogProps {
  name: string;
  onSwitch: () => void;
  onStay: () => void;
}

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
        You're switching to <strong>{name}</strong>. Its members see what you do there.
      </p>
    </Dialog>
  );
}
