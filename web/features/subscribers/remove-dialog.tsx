import { useState } from "react";
import type { Subscriber } from "#contract/subscribers.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface RemoveDialogProps {
  subscriber: Subscriber;
  /** Also blocks the address. */
  erase: boolean;
  remove: () => Promise<void>;
  onClose: () => void;
}

export function RemoveDialog({ subscriber: { email }, erase, remove, onClose }: RemoveDialogProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await remove();
      toasts.success(erase ? "Subscriber erased" : "Subscriber removed", `${email} won't get any more emails`);
      onClose();
    } catch (error) {
      toasts.error(
        erase ? "Couldn't erase the subscriber" : "Couldn't remove the subscriber",
        error instanceof ApiError ? error.message : "Please try again later",
      );
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      title={erase ? "Permanently erase this subscriber?" : "Remove this subscriber?"}
      confirm={erase ? "Erase" : "Remove"}
      danger
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {erase ? (
        <p>
          {email} won't get any more emails, and their data is permanently deleted. The address is also blocked: only they can subscribe
          again.
        </p>
      ) : (
        <p>{email} won't get any more emails. You can add the address again later, and its owner must confirm.</p>
      )}
    </ConfirmDialog>
  );
}
