import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { AddOn } from "#contract/kinds.ts";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { FormError } from "../components/form-error.tsx";
import { PageLoading } from "../components/page-loading.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { useAddOns, useRequestAddOns } from "../features/add-ons/use-add-ons.ts";
import { AddOnChoices } from "../features/add-ons/add-on-choices.tsx";
import { addOnsIn, addOnWords } from "../features/add-ons/add-on-words.ts";
import { PersonPage } from "../features/session/person-page.tsx";
import { useWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { ApiError } from "../lib/api-client.ts";
import { lastWorkspaceId } from "../lib/last-workspace.ts";
import css from "./upgrade-page.module.css";

/** What was chosen in the upgrade dialog, for the last word of the owner. Source: product decision 9. */
export function Component() {
  const [query] = useSearchParams();
  const { data, error } = useWorkspaces();
  if (!data && !error) return <PageLoading />;
  const workspace = chooseWorkspace(data?.workspaces ?? [], query.get("workspace"), lastWorkspaceId());
  return (
    <PersonPage narrow>
      {workspace ? (
        <Upgrade key={workspace.id} workspace={workspace} preselected={addOnsIn(query.get("add-ons"))} />
      ) : (
        <EmptyState
          level={1}
          drawing="desk"
          title="No workspace found"
          text="Please navigate to a workspace first"
          action={<ButtonLink to={paths.workspaces}>Go to Workspaces</ButtonLink>}
        />
      )}
    </PersonPage>
  );
}

function Upgrade({ workspace, preselected }: { workspace: Workspace; preselected: AddOn[] }) {
  const owned = useAddOns(workspace.id).data?.add_ons.map(({ add_on }) => add_on) ?? [];
  const request = useRequestAddOns(workspace.id);
  const [chosen, setChosen] = useState(preselected);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<{ addOns: AddOn[]; granted: boolean }>();
  const wanted = chosen.filter((addOn) => !owned.includes(addOn));

  async function upgrade() {
    setBusy(true);
    setProblem(undefined);
    try {
      setDone({ addOns: wanted, granted: await request(wanted) });
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "The upgrade did not work. Please try again later.");
    } finally {
      setBusy(false);
    }
  }

  if (done) return <Done workspace={workspace} {...done} />;
  const isOwner = workspace.role === "owner";
  return (
    <div className={css.page}>
      <PageTitle title="Upgrade" subtitle={`Add-ons for ${workspace.name}`} context={workspace.name} />
      {problem && <FormError message={problem} />}
      <AddOnChoices chosen={chosen} owned={owned} onChange={setChosen} />
      {!isOwner && <p className={css.note}>Only the owner of {workspace.name} can upgrade it. Tell them what you would like to have.</p>}
      <div className={css.actions}>
        {isOwner && (
          <Button variant="primary" icon="bolt" busy={busy} disabled={wanted.length === 0} onClick={() => void upgrade()}>
            Upgrade now
          </Button>
        )}
        <ButtonLink to={paths.dashboard(workspace.id)} variant={isOwner ? "quiet" : "primary"}>
          Go back
        </ButtonLink>
      </div>
    </div>
  );
}

function Done({ workspace, addOns, granted }: { workspace: Workspace; addOns: AddOn[]; granted: boolean }) {
  const names = new Intl.ListFormat("en").format(addOns.map((addOn) => addOnWords[addOn].name));
  return (
    <div role="status">
      <EmptyState
        level={1}
        drawing="letter"
        title={granted ? "Your upgrade is active" : "Your request has been recorded"}
        text={granted ? `${workspace.name} has ${names} from now on.` : `We will get in touch about ${names} for ${workspace.name}.`}
        action={
          <ButtonLink to={paths.dashboard(workspace.id)} variant="primary">
            Go to the dashboard
          </ButtonLink>
        }
      />
    </div>
  );
}
