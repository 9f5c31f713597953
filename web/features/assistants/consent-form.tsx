import { useId, useState, type FormEvent } from "react";
import { type AskedRequest, type AssistantScope, assistantScopes } from "#contract/oauth.ts";
import type { Profile } from "#contract/profile.ts";
import { chooseWorkspace } from "#contract/rules/choose-workspace.ts";
import { Button, buttonClass } from "../../components/button.tsx";
import { ButtonRow } from "../../components/button-row.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import { NarrowPage } from "../../components/narrow-page.tsx";
import { WarningBox } from "../../components/warning-box.tsx";
import { lastWorkspaceId } from "../../lib/last-workspace.ts";
import { roleNames } from "../team/role-names.ts";
import { consentWords } from "./consent-labels.ts";
import { placeOf } from "./leads-out.ts";
import { useAnswerRequest } from "./use-answer-request.ts";
import css from "./consent.module.css";

interface ConsentFormProps {
  query: string;
  asked: AskedRequest;
  profile: Profile;
  onOtherAccount: () => void;
}

/** An assistant wants to act for a person: who it is, where, and what it may. Publishing is never chosen beforehand. */
export function ConsentForm({ query, asked, profile, onOtherAccount }: ConsentFormProps) {
  const { client, redirect, workspaces } = asked;
  const [chosen, setChosen] = useState(() => preferred(workspaces).id);
  const [ticked, setTicked] = useState<readonly AssistantScope[]>(() => asked.scopes.filter((scope) => scope !== "posts:publish"));
  const [nothing, setNothing] = useState(false);
  const { busy, sent, problem, answer } = useAnswerRequest(query);
  const id = useId();

  const workspace = workspaces.find((one) => one.id === chosen) ?? preferred(workspaces);
  const scopes = assistantScopes.filter((scope) => workspace.scopes.includes(scope) && ticked.includes(scope));
  const out = asked.scopes.filter((scope) => !workspace.scopes.includes(scope));

  function allow(event: FormEvent) {
    event.preventDefault();
    setNothing(scopes.length === 0);
    if (scopes.length > 0) void answer({ allow: { workspaceId: workspace.id, scopes } });
  }

  if (sent !== undefined) return <SentBack to={sent} />;
  return (
    <NarrowPage
      roomy
      title={`Connect ${client.host}?`}
      text={
        <>
          {client.name && (
            <>
              It calls itself “<bdi className={css.name}>{client.name}</bdi>”, a name that nobody has verified.{" "}
            </>
          )}
          It wants to work in Tidings for you.
        </>
      }
    >
      <form className={css.form} onSubmit={allow}>
        {problem && <FormError title="Nothing was connected" message={problem} />}
        {redirect.kind !== "web" && (
          <WarningBox role="note">
            <p>
              {redirect.kind === "device"
                ? "A program on this device asks in this name, and any program could. Go on only if you have just begun this yourself."
                : "An app on this device asks in this name, and any app could. Go on only if you have just begun this yourself."}
            </p>
          </WarningBox>
        )}
        {redirect.kind === "web" && redirect.host !== client.host && (
          <WarningBox role="note">
            <p>
              The answer goes to another host: <strong className={css.place}>{redirect.host}</strong>. {client.host} says that this is its
              own.
            </p>
          </WarningBox>
        )}
        <p className={css.person}>
          <span>
            Signed in as <strong>{profile.email}</strong>
          </span>
          <Button variant="quiet" size="small" onClick={onOtherAccount}>
            Use another account
          </Button>
        </p>
        <div className={css.where}>
          {workspaces.length === 1 ? (
            <p>
              In <strong className={css.workspace}>{workspace.name}</strong>{" "}
              <span className={css.muted}>({roleNames[workspace.role]})</span>
            </p>
          ) : (
            <>
              <label htmlFor={`${id}-workspace`}>Workspace</label>
              <select id={`${id}-workspace`} className={css.select} value={workspace.id} onChange={({ target }) => setChosen(target.value)}>
                {workspaces.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name} ({roleNames[one.role]})
                  </option>
                ))}
              </select>
            </>
          )}
          {workspace.connected && (
            <p className={css.muted}>
              It is connected here already. {redirect.kind === "web" ? "This replaces that connection." : "This adds another connection."}
            </p>
          )}
        </div>
        {workspace.scopes.length === 0 ? (
          <p className={css.none} role="status">
            <Icon name="info-circle" />{" "}
            {`What it asks for is more than a ${roleNames[workspace.role].toLowerCase()} of ${workspace.name} can do.`}
            {workspaces.length > 1 && " Please choose another workspace, or cancel."}
          </p>
        ) : (
          <fieldset className={css.scopes} aria-describedby={nothing && scopes.length === 0 ? `${id}-nothing` : undefined}>
            <legend>What it may do</legend>
            {workspace.scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={consentWords[scope].label}
                note={consentWords[scope].note}
                checked={ticked.includes(scope)}
                onChange={({ target }) => setTicked(target.checked ? [...ticked, scope] : ticked.filter((one) => one !== scope))}
              />
            ))}
            {out.length > 0 && (
              <p className={css.muted}>
                It asks for more that your role here does not allow:{" "}
                {out.map((scope) => consentWords[scope].label.toLowerCase()).join(", ")}.
              </p>
            )}
            {nothing && scopes.length === 0 && (
              <p id={`${id}-nothing`} role="alert" className={css.fault}>
                <Icon name="exclamation-circle" /> Please choose at least one permission
              </p>
            )}
          </fieldset>
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
        <p className={css.small}>
          Afterwards you are back at <strong className={css.place}>{placeOf(redirect.uri)}</strong>. It can never do more than you can
          yourself. You can end this at any time in your profile settings; so can owners and administrators of the workspace.
        </p>
      </form>
    </NarrowPage>
  );
}

type Workspaces = AskedRequest["workspaces"];

/** The one last shown, if something can be done there; else the first where something can. */
function preferred(workspaces: Workspaces): Workspaces[number] {
  const usable = workspaces.filter(({ scopes }) => scopes.length > 0);
  return chooseWorkspace(usable, null, lastWorkspaceId()) ?? workspaces[0]!;
}

/** The answer is given and the browser on its way; an app or a program opens beside this page, which stays. */
function SentBack({ to }: { to: string }) {
  return (
    <NarrowPage title="Your answer is given" text={`You are taken back to ${placeOf(to)}. If that has happened, this page can be closed.`}>
      <a href={to} rel="noreferrer" className={buttonClass({ variant: "secondary", wide: true })}>
        Nothing has opened? Go there now
      </a>
    </NarrowPage>
  );
}
