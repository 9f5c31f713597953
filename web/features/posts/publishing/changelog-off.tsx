import { useState } from "react";
import { postEndpoints } from "#contract/posts.ts";
import { Button } from "../../../ui/button.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { WarningBox } from "../../../ui/form-error.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { useTogglePublicChangelog } from "../../workspaces/use-workspaces.ts";

export function ChangelogOff() {
  const { role } = useCurrentWorkspace();
  return <WarningBox role="note">{role === "owner" ? <TurnOn /> : <AskOwner />}</WarningBox>;
}

function TurnOn() {
  return (
    <Stack gap={2} start>
      <p>Your public changelog is currently disabled. You can enable it within the dashboard.</p>
      <TurnOnButton />
    </Stack>
  );
}

/** For the owner. Unsaved changes stay. In a dialog, the focus moves to the primary button afterwards. */
export function TurnOnButton() {
  const { workspace } = useCurrentWorkspace();
  const toggle = useTogglePublicChangelog(workspace.id);
  const [busy, setBusy] = useState(false);

  async function turnOn(dialog: Element | null) {
    setBusy(true);
    try {
      await toggle(true);
      requestAnimationFrame(() => dialog?.querySelector<HTMLElement>(".p-dialog-footer button:last-of-type")?.focus());
      toasts.success("Public changelog is on", "Everyone can see your published posts");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "unauthenticated") toasts.error("Couldn't turn on the public changelog", error.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button size="small" icon="globe" busy={busy} onClick={({ currentTarget }) => void turnOn(currentTarget.closest('[role="dialog"]'))}>
      Turn on public changelog
    </Button>
  );
}

function AskOwner() {
  const owner = useOwnerName();
  return (
    <p>
      Your public changelog is currently disabled. <span>{owner ? `Ask ${owner}` : "Ask the owner of this workspace"} to turn it on.</span>
    </p>
  );
}

export function useOwnerName(): string | null {
  const { workspace } = useCurrentWorkspace();
  const { data } = useCall(postEndpoints.authors, { params: { workspaceId: workspace.id } });
  return data?.authors.find(({ role }) => role === "owner")?.full_name ?? null;
}
