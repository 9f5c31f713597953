import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { AddOn } from "#contract/kinds.ts";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { paths } from "../lib/paths.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { List, Row, Stack, Text } from "../ui/layout.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FormError } from "../ui/form-error.tsx";
import { ListItem } from "../ui/list-item.tsx";
import { ListLoading } from "../ui/list-loading.tsx";
import { PageLoading } from "../ui/page-loading.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { type AddOnOutcome, type AddOnStatus, addOnStatus, useAddOns, useRequestAddOns } from "../features/add-ons/use-add-ons.ts";
import { AddOnChoices, isUnavailable } from "../features/add-ons/add-on-choices.tsx";
import { addOnsIn, addOnLabels, describeOutcome, isOffered, isReleased } from "../features/add-ons/add-on-labels.ts";
import { PersonPage } from "../features/account/person-page.tsx";
import { useWorkspaces } from "../features/workspaces/use-workspaces.ts";
import { sentenceOf } from "../lib/api-client.ts";
import { lastWorkspaceId } from "../lib/last-workspace.ts";

/** Confirms what the upgrade dialog selected, or offers all add-ons. Source: product decision 9. */
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
  const { data, error, mutate } = useAddOns(workspace.id);
  if (!data) return <ListLoading label="the add-ons" error={error} rows={6} onRetry={() => void mutate()} />;
  return <Confirmation workspace={workspace} status={addOnStatus(data)} preselected={preselected} />;
}

interface ConfirmationProps {
  workspace: Workspace;
  status: AddOnStatus;
  preselected: AddOn[];
}

function Confirmation({ workspace, status, preselected }: ConfirmationProps) {
  const request = useRequestAddOns(workspace.id);
  const [chosen, setChosen] = useState(preselected);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [outcome, setOutcome] = useState<AddOnOutcome>();
  const isAvailable = (addOn: AddOn) => isOffered(addOn, status) && !isUnavailable(addOn, status);
  const selected = chosen.filter(isAvailable);

  async function upgrade() {
    setBusy(true);
    setProblem(undefined);
    try {
      setOutcome(await request(selected));
    } catch (error) {
      setProblem(sentenceOf(error, "Couldn't upgrade. Please try again later."));
    } finally {
      setBusy(false);
    }
  }

  if (outcome) return <Outcome workspace={workspace} outcome={outcome} />;
  const isOwner = workspace.role === "owner";
  return (
    <Stack gap={6}>
      <PageTitle title="Upgrade" subtitle={`Add-ons for ${workspace.name}`} context={workspace.name} />
      {problem && <FormError message={problem} />}
      {preselected.some(isAvailable) ? (
        <List aria-label="Selected add-ons">
          {selected.map((addOn) => (
            <ListItem key={addOn} title={addOnLabels[addOn].name} note={addOnLabels[addOn].text}>
              <Text as="span">{priceOf(addOn, status)}</Text>
            </ListItem>
          ))}
        </List>
      ) : (
        <AddOnChoices chosen={chosen} {...status} onChange={setChosen} />
      )}
      {!isOwner && <Text tone="muted">Only the owner of {workspace.name} can upgrade. Tell them what you'd like.</Text>}
      <Row gap={3} justify="end">
        <ButtonLink to={paths.dashboard(workspace.id)} variant={isOwner ? "secondary" : "primary"}>
          Go back
        </ButtonLink>
        {isOwner && (
          <Button variant="primary" icon="bolt" busy={busy} disabled={selected.length === 0} onClick={() => void upgrade()}>
            Upgrade now
          </Button>
        )}
      </Row>
    </Stack>
  );
}

/** Prices are set by the operator, not by Tidings. */
function priceOf(addOn: AddOn, { included }: AddOnStatus): string {
  if (!isReleased(addOn)) return "Coming soon";
  return included ? "Included" : "Price on request";
}

function Outcome({ workspace, outcome }: { workspace: Workspace; outcome: AddOnOutcome }) {
  const { title, text } = describeOutcome(workspace.name, outcome);
  const pages = outcome.active.flatMap((addOn) => {
    const to = pageOf(addOn, workspace.id);
    return to === null ? [] : [{ to, label: `Go to ${addOnLabels[addOn].name}` }];
  });
  const [first, ...others] = pages.length > 0 ? pages : [{ to: paths.dashboard(workspace.id), label: "Go to the dashboard" }];
  return (
    <div role="status">
      <EmptyState
        level={1}
        drawing="letter"
        title={title}
        text={text}
        action={
          <Row gap={3} justify="center">
            <ButtonLink to={first!.to} variant="primary">
              {first!.label}
            </ButtonLink>
            {others.map(({ to, label }) => (
              <ButtonLink key={to} to={to}>
                {label}
              </ButtonLink>
            ))}
          </Row>
        }
      />
    </div>
  );
}

/** Page of an add-on, or null. */
function pageOf(addOn: AddOn, workspaceId: string): string | null {
  switch (addOn) {
    case "analytics":
      return paths.analytics(workspaceId);
    case "reports":
      return `${paths.settings(workspaceId, "email")}#reports`;
    case "sso":
      return paths.settings(workspaceId, "security");
    case "custom-domain":
      return paths.settings(workspaceId, "domain");
    case "backup":
      return paths.settings(workspaceId, "backup");
    default:
      return null;
  }
}
