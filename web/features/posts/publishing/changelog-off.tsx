import { postEndpoints } from "#contract/posts.ts";
import { Button } from "../../../ui/button.tsx";
import { WarningBox } from "../../../ui/form-error.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { useAction } from "../../../lib/use-action.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useCurrentWorkspace } from "../../workspaces/current-workspace.tsx";
import { useTogglePublicChangelog } from "../../workspaces/use-workspaces.ts";

/** For everyone but the owner. */
export function ChangelogOff() {
  return (
    <WarningBox role="note">
      <p>
        Your public changelog is currently disabled. <AskOwner />
      </p>
    </WarningBox>
  );
}

export function AskOwner() {
  const { workspace } = useCurrentWorkspace();
  const { data } = useCall(postEndpoints.authors, { params: { workspaceId: workspace.id } });
  const owner = data?.authors.find(({ role }) => role === "owner")?.full_name;
  return <span>{owner ? `Ask ${owner}` : "Ask the owner of this workspace"} to turn it on.</span>;
}

/** For the owner. Unsaved changes stay. */
export function TurnOnButton() {
  const { workspace } = useCurrentWorkspace();
  const toggle = useTogglePublicChangelog(workspace.id);
  const { running, run } = useAction();

  async function turnOn() {
    await toggle(true);
    toasts.success("Public changelog is on", "Everyone can see your published posts");
  }

  return (
    <Button
      size="small"
      icon="globe"
      busy={running !== undefined}
      onClick={() => void run("turn on", "Couldn't turn on the public changelog", turnOn)}
    >
      Turn on public changelog
    </Button>
  );
}
