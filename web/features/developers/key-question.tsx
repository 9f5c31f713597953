import { useState } from "react";
import { type ApiKey, formerSecretHours } from "#contract/api-keys.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface KeyQuestionProps {
  apiKey: ApiKey;
  about: "rotate" | "revoke";
  rotate: () => Promise<void>;
  revoke: () => Promise<void>;
  onClose: () => void;
}

/** Confirms rotating or revoking a key. */
export function KeyQuestion({ apiKey, about, rotate, revoke, onClose }: KeyQuestionProps) {
  const [busy, setBusy] = useState(false);
  const rotates = about === "rotate";

  async function confirm() {
    setBusy(true);
    try {
      await (rotates ? rotate() : revoke());
      if (!rotates) toasts.success("Key revoked", `${apiKey.name} no longer works`);
      onClose();
    } catch (error) {
      toasts.error(
        rotates ? "Couldn't create a new secret" : "Couldn't revoke the key",
        error instanceof ApiError ? error.message : "Please try again later",
      );
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      title={rotates ? `Create a new secret for ${apiKey.name}?` : `Revoke ${apiKey.name}?`}
      confirm={rotates ? "Create secret" : "Revoke"}
      danger={!rotates}
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {rotates
          ? `You'll see the new secret once. The old one keeps working for ${formerSecretHours} more hours.`
          : "Anything using this key stops working immediately. This can't be undone. Existing posts aren't affected."}
      </p>
    </ConfirmDialog>
  );
}
