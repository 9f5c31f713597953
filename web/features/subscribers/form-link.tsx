import type { Workspace } from "#contract/workspaces.ts";
import { Link } from "react-router-dom";
import { CopyButton } from "../../components/copy-button.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { paths } from "../../lib/paths.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { useMailSettings } from "./use-subscribers.ts";
import css from "./form-link.module.css";

/** Where readers subscribe, to hand on; or why they cannot at the moment. */
export function FormLink({ workspace }: { workspace: Workspace }) {
  const { settings } = useMailSettings(workspace.id);
  const config = useConfig();
  const { role } = useCurrentWorkspace();
  if (!settings || !config) return null;
  if (!workspace.public_changelog_enabled) {
    return (
      <p className={css.note}>
        Readers cannot subscribe yet: the public page is closed.{" "}
        {role === "owner" ? (
          <Link to={paths.dashboard(workspace.id)}>Open it on the dashboard</Link>
        ) : (
          "Its owner opens it on the dashboard."
        )}
      </p>
    );
  }
  if (!settings.enabled) return <p className={css.note}>Readers cannot subscribe and nobody gets mails: they are turned off below.</p>;
  const address = `${publicAddress(workspace, config.host)}/subscribe.html`;
  return (
    <p className={css.link}>
      <span>
        Readers subscribe at{" "}
        <a href={address} target="_blank" rel="noreferrer">
          {address.replace(/^https?:\/\//, "")}
        </a>
      </span>
      <CopyButton text={address} what="the address of the form" />
    </p>
  );
}
