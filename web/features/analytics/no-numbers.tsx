import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Icon } from "../../components/icon.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { paths } from "../../lib/paths.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import css from "./no-numbers.module.css";

/** Nothing was ever counted: what will be, and where readers are to be led. */
export function NoNumbers({ workspace }: { workspace: Workspace }) {
  const config = useConfig();
  const { role } = useCurrentWorkspace();
  const isPublic = workspace.public_changelog_enabled;
  return (
    <EmptyState
      drawing="line"
      title="No numbers yet"
      text={
        isPublic
          ? "Once somebody reads a post on your page or in the widget, views, readers and where they came from stand here, a minute later."
          : `Your public page is closed. ${role === "owner" ? "Open" : "Its owner opens"} it on the dashboard; once somebody reads a post, the numbers stand here.`
      }
      action={
        <div className={css.actions}>
          {isPublic && config ? (
            <a className={css.page} href={publicAddress(workspace, config.host)} target="_blank" rel="noreferrer">
              Open your page <Icon name="external-link" />
            </a>
          ) : (
            <ButtonLink to={paths.dashboard(workspace.id)}>Go to the dashboard</ButtonLink>
          )}
          <ButtonLink to={paths.widget(workspace.id)} icon="code">
            Set up the widget
          </ButtonLink>
        </div>
      }
    />
  );
}
