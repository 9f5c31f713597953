import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { lastWorkspaceId } from "../../lib/last-workspace.ts";
import { useWorkspaces } from "./use-workspaces.ts";
import { useIsMobile } from "../../lib/use-media-query.ts";
import { Text } from "../../ui/layout.tsx";

/** Link to the last workspace or the list; hidden without workspaces. */
export function BackToWorkspace() {
  const workspaces = useWorkspaces().data?.workspaces ?? [];
  const last = workspaces.find(({ id }) => id === lastWorkspaceId());
  const onPhone = useIsMobile();
  if (workspaces.length === 0) return null;
  return (
    <ButtonLink
      to={last ? paths.dashboard(last.id) : paths.workspaces}
      variant="quiet"
      icon="arrow-left"
      style={{ minWidth: 0, marginLeft: "auto" }}
    >
      <Text as="span" truncate style={{ maxWidth: "18rem" }}>
        Back<span className={onPhone ? "visually-hidden" : undefined}> to {last?.name ?? "your workspaces"}</span>
      </Text>
    </ButtonLink>
  );
}
