import { Suspense, useState } from "react";
import { teamEndpoints } from "#contract/team.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { call } from "../../lib/api-client.ts";
import { useDeparture } from "./use-departure.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

/** For members other than the owner. */
export function LeaveSection({ workspace }: { workspace: Workspace }) {
  const depart = useDeparture();
  const [confirming, setConfirming] = useState(false);

  async function leave() {
    await call(teamEndpoints.leave, { params: { id: workspace.id } });
    await depart();
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
          <ConfirmAction
            title="Leave this workspace?"
            confirm="Leave"
            danger
            failure="Couldn't leave the workspace"
            act={leave}
            onClose={() => setConfirming(false)}
          >
            <p>
              You'll no longer see <strong>{workspace.name}</strong> and its posts.
            </p>
          </ConfirmAction>
        )}
      </Suspense>
    </Section>
  );
}
