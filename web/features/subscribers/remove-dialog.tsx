import { useState } from "react";
import type { Subscriber } from "#contract/subscribers.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface RemoveDialogProps {
  subscriber: Subscriber;
  /** So that nobody brings the address back. */
  erase: boolean;
  remove: () => Promise<void>;
  onClose: () => void;
}

/** One question before a reader is gone, and what that means. */
export function RemoveDialog({ subscriber: { email }, erase, remove, onClose }: RemoveDialogProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await remove();
      toasts.success(erase ? "Subscriber erased" : "Subscriber removed", `${email} gets no more mails`);
      onClose();
    } catch (error) {
      toasts.error(
        erase ? "The subscriber was not erased" : "The subscriber was not removed",
        error instanceof ApiError ? error.message : "Please try again later",
      );
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      title={erase ? "Erase this subscriber for good?" : "Remove this subscriber?"}
      confirm={erase ? "Erase" : "Remove"}
      danger
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {erase ? (
        <p>
          {email} gets no more mails, and what is stored about this reader is erased. A mark that nobody can read back stays, so that nobody
          can add the address again, not by a list either. Only its owner can, on your public page.
        </p>
      ) : (
        <p>
          {email} gets no more mails and is off the list. You can add the address again later: its owner is then asked by mail, as everybody
          is.
        </p>
      )}
    </ConfirmDialog>
  );
}
