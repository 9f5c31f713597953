import { useState } from "react";
import { postEndpoints } from "#contract/posts.ts";
import { Button } from "../../../components/button.tsx";
import { WarningBox } from "../../../components/warning-box.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { useTogglePublicChangelog } from "../../workspaces/use-workspaces.ts";
import css from "./changelog-off.module.css";

/** Nobody reads what is published while the public changelog is off: says so; the owner turns it on, others learn whom to ask. */
export function ChangelogOff() {
  const { role } = useCurrentWorkspace();
  return (
    <WarningBox role="note" className={css.off}>
      {role === "owner" ? <TurnOn /> : <AskOwner />}
    </WarningBox>
  );
}

function TurnOn() {
  return (
    <>
      <p>Your public changelog is currently disabled. You can enable it within the dashboard.</p>
      <TurnOnButton />
    </>
  );
}

/** For the owner. What is on the screen stays as it is; in a dialog, which this button leaves when it is done, its primary button has the focus next. */
export function TurnOnButton() {
  const { workspace } = useCurrentWorkspace();
  const toggle = useTogglePublicChangelog(workspace.id);
  const [busy, setBusy] = useState(false);

  async function turnOn(dialog: Element | null) {
    setBusy(true);
    try {
      await toggle(true);
      requestAnimationFrame(() => dialog?.querySelector<HTMLElement>(".p-dialog-footer button:last-of-type")?.focus());
      toasts.success("Public changelog is on", "Everybody can read what is published");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "unauthenticated") toasts.error("The public changelog was not changed", error.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      size="small"
      icon="globe"
      busy={busy}
      className={css.button}
      onClick={({ currentTarget }) => void turnOn(currentTarget.closest('[role="dialog"]'))}
    >
      Turn the public changelog on
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

/** The name of the workspace's owner; null until it is known. */
export function useOwnerName(): string | null {
  const { workspace } = useCurrentWorkspace();
  const { data } = useCall(postEndpoints.authors, { params: { workspaceId: workspace.id } });
  return data?.authors.find(({ role }) => role === "owner")?.full_name ?? null;
}
