import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { AddOn } from "#contract/kinds.ts";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { ButtonRow } from "../components/button-row.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { FormError } from "../components/form-error.tsx";
import { PageLoading } from "../components/page-loading.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { type AddOnOutcome, useAddOns, useRequestAddOns } from "../features/add-ons/use-add-ons.ts";
import { AddOnChoices, isSettled } from "../features/add-ons/add-on-choices.tsx";
import { addOnsIn, addOnWords, outcomeWords } from "../features/add-ons/add-on-labels.ts";
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
  const { add_ons = [], requested = [] } = useAddOns(workspace.id).data ?? {};
  const known = { owned: add_ons.map(({ add_on }) => add_on), requested };
  const request = useRequestAddOns(workspace.id);
  const [chosen, setChosen] = useState(preselected);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [outcome, setOutcome] = useState<AddOnOutcome>();
  const wanted = chosen.filter((addOn) => !isSettled(addOn, known));

  async function upgrade() {
    setBusy(true);
    setProblem(undefined);
    try {
      setOutcome(await request(wanted));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "The upgrade did not work. Please try again later.");
    } finally {
      setBusy(false);
    }
  }

  if (outcome) return <Outcome workspace={workspace} outcome={outcome} />;
  const isOwner = workspace.role === "owner";
  return (
    <div className={css.page}>
      <PageTitle title="Upgrade" subtitle={`Add-ons for ${workspace.name}`} context={workspace.name} />
      {problem && <FormError message={problem} />}
      <AddOnChoices chosen={chosen} {...known} onChange={setChosen} />
      {!isOwner && <p className={css.note}>Only the owner of {workspace.name} can upgrade it. Tell them what you would like to have.</p>}
      <ButtonRow>
        <ButtonLink to={paths.dashboard(workspace.id)} variant={isOwner ? "secondary" : "primary"}>
          Go back
        </ButtonLink>
        {isOwner && (
          <Button variant="primary" icon="bolt" busy={busy} disabled={wanted.length === 0} onClick={() => void upgrade()}>
            Upgrade now
          </Button>
        )}
      </ButtonRow>
    </div>
  );
}

/** What became of it, and the way to what is there now. */
function Outcome({ workspace, outcome }: { workspace: Workspace; outcome: AddOnOutcome }) {
  const { title, text } = outcomeWords(workspace.name, outcome);
  const pages = outcome.active.flatMap((addOn) => {
    const to = pageOf(addOn, workspace.id);
    return to === null ? [] : [{ to, words: `Go to ${addOnWords[addOn].name}` }];
  });
  const [first, ...others] = pages.length > 0 ? pages : [{ to: paths.dashboard(workspace.id), words: "Go to the dashboard" }];
  return (
    <div role="status">
      <EmptyState
        level={1}
        drawing="letter"
        title={title}
        text={text}
        action={
          <div className={css.actions}>
            <ButtonLink to={first!.to} variant="primary">
              {first!.words}
            </ButtonLink>
            {others.map(({ to, words }) => (
              <ButtonLink key={to} to={to}>
                {words}
              </ButtonLink>
            ))}
          </div>
        }
      />
    </div>
  );
}

/** Where what an add-on brings is; null: nowhere. */
function pageOf(addOn: AddOn, workspaceId: string): string | null {
  switch (addOn) {
    case "analytics":
      return paths.analytics(workspaceId);
    case "reports":
      return paths.reportSettings(workspaceId);
    case "custom-domain":
      return paths.domainSettings(workspaceId);
    case "backup":
      return paths.backupSettings(workspaceId);
    default:
      return null;
  }
}
