import { useState } from "react";
import { type ApiKey, formerSecretHours } from "#contract/api-keys.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface KeyQuestionProps {
  apiKey: ApiKey;
  about: "rotate" | "revoke";
  rotate: () => Promise<void>;
  revoke: () => Promise<void>;
  onClose: () => void;
}

/** One question before a key gets another secret, or none any more. */
export function KeyQuestion({ apiKey, about, rotate, revoke, onClose }: KeyQuestionProps) {
  const [busy, setBusy] = useState(false);
  const rotates = about === "rotate";

  async function confirm() {
    setBusy(true);
    try {
      await (rotates ? rotate() : revoke());
      if (!rotates) toasts.success("Key revoked", `${apiKey.name} opens nothing any more`);
      onClose();
    } catch (error) {
      toasts.error(
        rotates ? "The key got no new secret" : "The key was not revoked",
        error instanceof ApiError ? error.message : "Please try again later",
      );
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog
      title={rotates ? `Give ${apiKey.name} a new secret?` : `Revoke ${apiKey.name}?`}
      confirm={rotates ? "Make a new secret" : "Revoke"}
      danger={!rotates}
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {rotates
          ? `You get it once. The present one works for ${formerSecretHours} hours more, so that nothing stops meanwhile; then only the new one does.`
          : "Whatever uses it stops at once, and it cannot be taken back. What it has written stays."}
      </p>
    </ConfirmDialog>
  );
}
