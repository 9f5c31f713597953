import { useId, useState, type FormEvent } from "react";
import { type AskedRequest, type AssistantScope, assistantScopes } from "#contract/oauth.ts";
import type { Profile } from "#contract/profile.ts";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ButtonRow } from "../../ui/button-row.tsx";
import { Checkboxes, CheckboxGroup } from "../../ui/checkbox-group.tsx";
import { FormError, WarningBox } from "../../ui/form-error.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { NarrowPage } from "../../ui/page.tsx";
import { lastWorkspaceId } from "../../lib/last-workspace.ts";
import { roleNames } from "../team/role-names.ts";
import { consentLabels } from "./consent-labels.ts";
import { describeTarget } from "./redirect-target.ts";
import { useAnswerRequest } from "./use-answer-request.ts";

interface ConsentFormProps {
  query: string;
  request: AskedRequest;
  profile: Profile;
  onOtherAccount: () => void;
}

/** OAuth consent. Publishing is never preselected. */
export function ConsentForm({ query, request, profile, onOtherAccount }: ConsentFormProps) {
  const { client, redirect, workspaces } = request;
  const [chosen, setChosen] = useState(() => preferred(workspaces).id);
  const [ticked, setTicked] = useState<readonly AssistantScope[]>(() => request.scopes.filter((scope) => scope !== "posts:publish"));
  const [isEmptySubmit, setIsEmptySubmit] = useState(false);
  const { busy, sent, problem, answer } = useAnswerRequest(query);
  const id = useId();

  const workspace = workspaces.find((one) => one.id === chosen) ?? preferred(workspaces);
  const scopes = assistantScopes.filter((scope) => workspace.scopes.includes(scope) && ticked.includes(scope));
  const unavailable = request.scopes.filter((scope) => !workspace.scopes.includes(scope));

  function allow(event: FormEvent) {
    event.preventDefault();
    setIsEmptySubmit(scopes.length === 0);
    if (scopes.length > 0) void answer({ allow: { workspaceId: workspace.id, scopes } });
  }

  if (sent !== undefined) return <SentBack to={sent} />;
  return (
    <NarrowPage
      wide
      title={`Connect ${client.host}?`}
      text={
        <>
          {client.name && (
            <>
              It calls itself “<Text as="bdi">{client.name}</Text>”. We haven't verified this name.{" "}
            </>
          )}
          It wants to connect to Tidings on your behalf.
        </>
      }
    >
      <Stack as="form" gap={6} style={{ width: "100%" }} onSubmit={allow}>
        {problem && <FormError title="Couldn't connect" message={problem} />}
        {redirect.kind !== "web" && (
          <WarningBox role="note">
            <p>An app on this device is asking. Any app can use this name, so continue only if you just started this.</p>
          </WarningBox>
        )}
        {redirect.kind === "web" && redirect.host !== client.host && (
          <WarningBox role="note">
            <p>
              The response goes to another host: <Text as="strong">{redirect.host}</Text>. {client.host} claims to own it.
            </p>
          </WarningBox>
        )}
        <Row as="p" justify="between" gap={3}>
          <span>
            Signed in as <strong>{profile.email}</strong>
          </span>
          <Button variant="quiet" size="small" onClick={onOtherAccount}>
            Use another account
          </Button>
        </Row>
        <Stack gap={1}>
          {workspaces.length === 1 ? (
            <p>
              In <Text as="strong">{workspace.name}</Text> <Note as="span">({roleNames[workspace.role]})</Note>
            </p>
          ) : (
            <>
              <Text as="label" strong htmlFor={`${id}-workspace`}>
                Workspace
              </Text>
              <Select
                id={`${id}-workspace`}
                value={workspace.id}
                options={workspaces.map((one) => [one.id, `${one.name} (${roleNames[one.role]})`])}
                onChange={setChosen}
              />
            </>
          )}
          {workspace.connected && (
            <Note>
              Already connected here. {redirect.kind === "web" ? "This replaces the connection." : "This adds another connection."}
            </Note>
          )}
        </Stack>
        {workspace.scopes.length === 0 ? (
          <p role="status">
            <Icon name="info-circle" />{" "}
            {`Your role in ${workspace.name} (${roleNames[workspace.role].toLowerCase()}) doesn't allow what it requests.`}
            {workspaces.length > 1 && " Choose another workspace or cancel."}
          </p>
        ) : (
          <CheckboxGroup
            legend="Permissions"
            min="100%"
            error={isEmptySubmit && scopes.length === 0 ? "Select at least one permission" : undefined}
          >
            <Checkboxes
              options={workspace.scopes.map((value) => ({ value, ...consentLabels[value] }))}
              chosen={ticked}
              onChange={setTicked}
            />
            {unavailable.length > 0 && (
              <Note>
                It also requests permissions your role doesn't have:{" "}
                {unavailable.map((scope) => consentLabels[scope].label.toLowerCase()).join(", ")}.
              </Note>
            )}
          </CheckboxGroup>
        )}
        <ButtonRow>
          <Button busy={busy === "deny"} disabled={busy === "allow"} onClick={() => void answer("deny")}>
            Cancel
          </Button>
          {workspace.scopes.length > 0 && (
            <Button type="submit" variant="primary" busy={busy === "allow"} disabled={busy === "deny"}>
              Allow
            </Button>
          )}
        </ButtonRow>
        <Note>
          You'll return to <Text as="strong">{describeTarget(redirect.uri)}</Text>. It can't do more than you can. Access ends after 90 days
          without use. You, owners and admins can disconnect it at any time.
        </Note>
      </Stack>
    </NarrowPage>
  );
}

type Workspaces = AskedRequest["workspaces"];

/** The last usable workspace, else the first usable one. */
function preferred(workspaces: Workspaces): Workspaces[number] {
  const usable = workspaces.filter(({ scopes }) => scopes.length > 0);
  return chooseWorkspace(usable, null, lastWorkspaceId()) ?? workspaces[0]!;
}

/** Shown after the redirect; apps open beside this page. */
function SentBack({ to }: { to: string }) {
  return (
    <NarrowPage title="All done" text={`We're taking you back to ${describeTarget(to)}. You can then close this page.`}>
      <a href={to} rel="noreferrer" className={buttonClass({ variant: "secondary", wide: true })}>
        Nothing opened? Continue
      </a>
    </NarrowPage>
  );
}
