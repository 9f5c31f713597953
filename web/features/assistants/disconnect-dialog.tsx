import { useState } from "react";
import type { Assistant } from "#contract/oauth.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface EndQuestionProps {
  assistant: Assistant;
  /** Owner's name, if not the user's own. */
  ownerName?: string;
  end: () => Promise<void>;
  onClose: () => void;
}

/** Confirms disconnecting an assistant. */
export function DisconnectDialog({ assistant, ownerName, end, onClose }: EndQuestionProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await end();
      toasts.success("Assistant disconnected", `${assistant.host} no longer has access`);
      onClose();
    } catch (error) {
      toasts.error("Couldn't disconnect the assistant", error instanceof ApiError ? error.message : "Please try again later");
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      title={ownerName === undefined ? `Disconnect ${assistant.host}?` : `Disconnect ${assistant.host} of ${ownerName}?`}
      confirm="Disconnect"
      danger
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>It loses access immediately. Its drafts stay, and you can reconnect it later.</p>
    </ConfirmDialog>
  );
}
