import { Link } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState, Failure } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { PersonPage } from "../features/account/person-page.tsx";
import { RequiredNotice, useHiddenWorkspaces } from "../features/second-factor/required-notice.tsx";
import { useWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Grid, Row, Stack, Text } from "../ui/layout.tsx";
import css from "./pages.module.css";

export function Component() {
  const workspaces = useWorkspaces().data?.workspaces;
  const hidden = useHiddenWorkspaces();
  return (
    <PersonPage>
      <Stack gap={8}>
        <PageTitle
          title="Your Workspaces"
          action={
            <ButtonLink to={paths.onboarding} variant={workspaces?.length === 0 || hidden ? "secondary" : "primary"} icon="plus">
              New Workspace
            </ButtonLink>
          }
        />
        {hidden && <RequiredNotice hidden={hidden} />}
        {!(hidden && workspaces?.length === 0) && <WorkspaceList />}
      </Stack>
    </PersonPage>
  );
}

function WorkspaceList() {
  const { data, error, mutate } = useWorkspaces();
  if (error && !data) {
    return <Failure title="Error" text="Failed to load workspaces. Please try again." onRetry={() => void mutate()} />;
  }
  if (!data) {
    return (
      <Row as="p" role="status" gap={3} justify="center" style={{ minHeight: "16rem", color: "var(--muted)" }}>
        <Icon name="spinner" large />
        Loading workspaces...
      </Row>
    );
  }
  if (data.workspaces.length === 0) {
    return (
      <EmptyState
        drawing="desk"
        title="No workspaces yet"
        text="Get started by creating your first workspace"
        action={
          <ButtonLink to={paths.onboarding} variant="primary">
            Create Workspace
          </ButtonLink>
        }
      />
    );
  }
  return (
    <Grid as="ul" role="list" min="17rem">
      {data.workspaces.map((workspace) => (
        <li key={workspace.id}>
          <WorkspaceCard workspace={workspace} />
        </li>
      ))}
    </Grid>
  );
}

function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  return (
    <Link to={paths.dashboard(workspace.id)} className={css.card}>
      <Avatar square large name={workspace.name} src={workspace.logo_url} />
      <Stack as="span" gap={0} grow>
        <Text as="span" strong truncate>
          {workspace.name}
        </Text>
        <Text as="span" tone="muted" truncate>
          {workspace.subdomain}
        </Text>
      </Stack>
    </Link>
  );
}
