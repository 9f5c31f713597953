import type { ReactNode } from "react";
import { useAction } from "../lib/use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ title, children, confirm, danger = false, busy, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button data-pc-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

interface ConfirmActionProps extends Omit<ConfirmDialogProps, "busy" | "onConfirm"> {
  /** Title of the error toast. */
  failure: string;
  act: () => Promise<unknown>;
}

/** Confirms an action and runs it. Closes once it is done, and stays open if it fails. */
export function ConfirmAction({ failure, act, onClose, ...dialog }: ConfirmActionProps) {
  const { running, run } = useAction();
  const onConfirm = async () => {
    await act();
    onClose();
  };
  return (
    <ConfirmDialog {...dialog} busy={running !== undefined} onConfirm={() => void run("confirm", failure, onConfirm)} onClose={onClose} />
  );
}
