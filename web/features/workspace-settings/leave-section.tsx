import { Suspense, useState } from "react";
import { teamEndpoints } from "#contract/team.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useDeparture } from "./use-departure.ts";
import { lazyPart } from "../../components/lazy-part.tsx";

const ConfirmDialog = lazyPart(
  () => import("../../components/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);

/** For everybody but the owner: the way out. */
export function LeaveSection({ workspace }: { workspace: Workspace }) {
  const depart = useDeparture();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function leave() {
    setBusy(true);
    try {
      await call(teamEndpoints.leave, { params: { id: workspace.id } });
      await depart();
    } catch (error) {
      toasts.error("You could not leave the workspace", error instanceof ApiError ? error.message : "Please try again later");
      setBusy(false);
      setAsking(false);
    }
  }

  return (
    <Section
      title="Leave"
      text="Your posts and your account stay. To come back you need a new invitation; to have your account deleted, ask whoever runs Tidings here."
    >
      <Button icon="sign-out" onClick={() => setAsking(true)}>
        Leave workspace
      </Button>
      <Suspense>
        {asking && (
          <ConfirmDialog
            title="Leave this workspace?"
            confirm="Leave"
            danger
            busy={busy}
            onConfirm={() => void leave()}
            onClose={() => setAsking(false)}
          >
            <p>
              You will no longer see <strong>{workspace.name}</strong> and its posts.
            </p>
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  );
}
