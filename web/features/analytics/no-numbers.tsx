import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Row } from "../../ui/layout.tsx";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { paths } from "../../lib/paths.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";

/** Empty state before the first view. */
export function NoNumbers({ workspace }: { workspace: Workspace }) {
  const config = useConfig();
  const { role } = useCurrentWorkspace();
  const isPublic = workspace.public_changelog_enabled;
  return (
    <EmptyState
      drawing="line"
      title="No data yet"
      text={
        isPublic
          ? "Views, readers and referrers appear here about a minute after your first visit."
          : `Your public page is off. ${role === "owner" ? "Turn it on" : "Ask the owner to turn it on"} to start counting views.`
      }
      action={
        <Row justify="center" gap={4}>
          {isPublic && config ? (
            <Row as="a" href={publicAddress(workspace, config.host)} target="_blank" rel="noreferrer">
              Open your page <Icon name="external-link" />
            </Row>
          ) : (
            <ButtonLink to={paths.dashboard(workspace.id)}>Go to the dashboard</ButtonLink>
          )}
          <ButtonLink to={paths.widget(workspace.id)} icon="code">
            Set up the widget
          </ButtonLink>
        </Row>
      }
    />
  );
}
