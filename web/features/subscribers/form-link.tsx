import type { Workspace } from "#contract/workspaces.ts";
import { Link } from "react-router-dom";
import { CopyButton } from "../../ui/copy-button.tsx";
import { WarningBox } from "../../ui/form-error.tsx";
import { Row } from "../../ui/layout.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { paths } from "../../lib/paths.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { useMailSettings } from "./use-subscribers.ts";

/** URL of the sign-up form, or why it is unavailable. */
export function FormLink({ workspace }: { workspace: Workspace }) {
  const { settings } = useMailSettings(workspace.id);
  const config = useConfig();
  const { role } = useCurrentWorkspace();
  if (!settings || !config) return null;
  if (!workspace.public_changelog_enabled) {
    return (
      <WarningBox role="note">
        Readers can't subscribe yet because your public page is off.{" "}
        {role === "owner" ? <Link to={paths.dashboard(workspace.id)}>Turn it on in the dashboard</Link> : "Ask the owner to turn it on."}
      </WarningBox>
    );
  }
  if (!settings.enabled) return <WarningBox role="note">Email updates are off. Readers can't subscribe and don't get emails.</WarningBox>;
  const address = `${publicAddress(workspace, config.host)}/subscribe.html`;
  return (
    <Row as="p" gap={3}>
      <span>
        Readers subscribe at{" "}
        <a href={address} target="_blank" rel="noreferrer">
          {address.replace(/^https?:\/\//, "")}
        </a>
      </span>
      <CopyButton text={address} label="the form's URL" />
    </Row>
  );
}
