import type { Assistant } from "#contract/oauth.ts";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { toasts } from "../../lib/toasts.ts";

interface DisconnectDialogProps {
  assistant: Assistant;
  /** Owner's name, if not the user's own. */
  ownerName?: string;
  end: () => Promise<unknown>;
  onClose: () => void;
}

export function DisconnectDialog({ assistant: { host }, ownerName, end, onClose }: DisconnectDialogProps) {
  return (
    <ConfirmAction
      title={ownerName === undefined ? `Disconnect ${host}?` : `Disconnect ${host} of ${ownerName}?`}
      confirm="Disconnect"
      danger
      failure="Couldn't disconnect the assistant"
      act={async () => {
        await end();
        toasts.success("Assistant disconnected", `${host} no longer has access`);
      }}
      onClose={onClose}
    >
      <p>It loses access immediately. Its drafts stay, and you can reconnect it later.</p>
    </ConfirmAction>
  );
}
