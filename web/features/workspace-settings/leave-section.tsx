import { Suspense, useState } from "react";
import { teamEndpoints } from "#contract/team.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useDeparture } from "./use-departure.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";

const ConfirmDialog = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmDialog");

/** For members other than the owner. */
export function LeaveSection({ workspace }: { workspace: Workspace }) {
  const depart = useDeparture();
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    try {
      await call(teamEndpoints.leave, { params: { id: workspace.id } });
      await depart();
    } catch (error) {
      toasts.error("Couldn't leave the workspace", error instanceof ApiError ? error.message : "Please try again later");
      setBusy(false);
      setConfirming(false);
    }
  }

  return (
    <Section
      title="Leave"
      text="Your posts and account stay. You'll need a new invitation to return. To delete your account, ask your administrator."
    >
      <Button icon="sign-out" onClick={() => setConfirming(true)}>
        Leave workspace
      </Button>
      <Suspense>
        {confirming && (
          <ConfirmDialog
            title="Leave this workspace?"
            confirm="Leave"
            danger
            busy={busy}
            onConfirm={() => void leave()}
            onClose={() => setConfirming(false)}
          >
            <p>
              You'll no longer see <strong>{workspace.name}</strong> and its posts.
            </p>
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  );
}
