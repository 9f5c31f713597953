import { useState } from "react";
import type { Assistant } from "#contract/oauth.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface EndQuestionProps {
  assistant: Assistant;
  /** Whose it is, where it is not the person's who is asked. */
  of?: string;
  end: () => Promise<void>;
  onClose: () => void;
}

/** One question before an assistant is let in no more. */
export function EndQuestion({ assistant, of, end, onClose }: EndQuestionProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await end();
      toasts.success("Connection ended", `${assistant.host} can do nothing here any more`);
      onClose();
    } catch (error) {
      toasts.error("The connection was not ended", error instanceof ApiError ? error.message : "Please try again later");
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      title={of === undefined ? `End ${assistant.host}?` : `End ${assistant.host} of ${of}?`}
      confirm="End"
      danger
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>It can do nothing here any more, at once. What it has written stays. It can be connected again, which asks anew.</p>
    </ConfirmDialog>
  );
}
