import { Link } from "react-router-dom";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Icon } from "../ui/icon.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { PersonPage } from "../features/account/person-page.tsx";
import { useWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { Avatar } from "../ui/avatar.tsx";
import css from "./workspaces-page.module.css";

export function Component() {
  const workspaces = useWorkspaces().data?.workspaces;
  return (
    <PersonPage>
      <PageTitle
        title="Your Workspaces"
        action={
          <ButtonLink to={paths.onboarding} variant={workspaces?.length === 0 ? "secondary" : "primary"} icon="plus">
            New Workspace
          </ButtonLink>
        }
      />
      <List />
    </PersonPage>
  );
}

function List() {
  const { data, error, mutate } = useWorkspaces();
  if (error && !data) {
    return (
      <div className={css.failure}>
        <FormError title="Error" message="Failed to load workspaces. Please try again." />
        <Button icon="refresh" onClick={() => void mutate()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <p className={css.loading} role="status">
        <Icon name="spinner" large />
        Loading workspaces...
      </p>
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
    <ul role="list" className={css.list}>
      {data.workspaces.map((workspace) => (
        <li key={workspace.id}>
          <WorkspaceCard workspace={workspace} />
        </li>
      ))}
    </ul>
  );
}

function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  return (
    <Link to={paths.dashboard(workspace.id)} className={css.card}>
      <Avatar square large name={workspace.name} src={workspace.logo_url} />
      <span className={css.words}>
        <span className={css.name}>{workspace.name}</span>
        <span className={css.subdomain}>{workspace.subdomain}</span>
      </span>
    </Link>
  );
}
