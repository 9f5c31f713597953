import { useState } from "react";
import { providerSessionDays } from "#contract/limits.ts";
import {
  type IdentityProvider,
  type JoinRole,
  joinRoles,
  openIdInput,
  samlInput,
  type SingleSignOn,
  singleSignOnEndpoints as endpoints,
} from "#contract/single-sign-on.ts";
import { call } from "../../lib/api-client.ts";
import { goTo } from "../../lib/go-to.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall } from "../../lib/use-call.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Copied } from "../../ui/copied.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { SelectRow } from "../../ui/select.tsx";
import { TextAreaField } from "../../ui/text-area-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";

const joining = [
  ...joinRoles.map((role): [JoinRole, string] => [role, `Join as ${role}s`]),
  ["nobody", "Need an invitation"],
] as const satisfies (readonly [JoinRole | "nobody", string])[];

type Changes = Partial<IdentityProvider> & { client_secret?: string; metadata?: string };
type Open = { confirming: "require" | "remove" } | { code: string };

const openIdConnection = openIdInput.pick({ issuer: true, client_id: true, client_secret: true });
const samlConnection = samlInput.pick({ metadata: true });

const protocols = [
  ["oidc", "OpenID Connect"],
  ["saml", "SAML 2.0"],
] as const satisfies (readonly [IdentityProvider["kind"], string])[];

/** The owner changes it. */
export function ProviderSection({ workspaceId, isOwner }: { workspaceId: string; isOwner: boolean }) {
  const params = { workspaceId };
  const hasAddOn = useHasAddOn(workspaceId, "sso");
  const { data, error, mutate, write } = useCall(endpoints.read, { params });
  const [open, setOpen] = useState<Open>();
  const { running, run } = useAction();
  const provider = data?.provider ?? null;

  async function save(changes: Changes) {
    const { kind = "oidc", issuer = "", client_id = "", join_as = "viewer", is_on = false, is_required = false } = provider ?? {};
    const body = { kind, issuer, client_id, join_as, is_on, is_required, ...changes };
    const { break_glass_code: code } = await write(endpoints.save, { params, body });
    if (code === null) toasts.success("Saved");
    setOpen(code === null ? undefined : { code });
  }
  const change = (changes: Changes) => void run("save", "Couldn't save", () => save(changes));
  const test = () => void run("test", "Couldn't start the test", async () => goTo((await call(endpoints.test, { params })).url));

  return (
    <Section
      title="Single sign-on"
      text="Members sign in with your company's identity provider, such as Microsoft Entra, Okta or Google Workspace."
    >
      {!data || hasAddOn === undefined ? (
        <ListLoading label="single sign-on" error={error} rows={2} onRetry={() => void mutate()} />
      ) : !hasAddOn ? (
        <>
          <Text tone="muted">
            This workspace doesn&apos;t have the Single sign-on add-on yet. {!isOwner && "The owner of this workspace can add it."}
          </Text>
          {isOwner && (
            <ButtonLink to={paths.upgrade({ workspace: workspaceId, "add-ons": "sso" })} icon="bolt">
              Get Single sign-on
            </ButtonLink>
          )}
        </>
      ) : !isOwner ? (
        <Text tone="muted">{describe(provider)} The owner can change this.</Text>
      ) : (
        <>
          <Connection key={`${provider?.issuer} ${provider?.client_id}`} settings={data} save={save} />
          {provider && (
            <>
              <Row gap={3}>
                <Button busy={running === "test"} onClick={test}>
                  Test sign-in
                </Button>
                <Note as="span">
                  {provider.tested_at === null ? "Test the sign-in before you turn it on." : `Tested ${moment(provider.tested_at)}`}
                </Note>
              </Row>
              <SelectRow
                label="New people"
                value={provider.join_as ?? "nobody"}
                options={joining}
                onChange={(role) => change({ join_as: role === "nobody" ? null : role })}
              />
              <Checkbox
                label="Turn on single sign-on"
                note="People with an address at one of your verified email domains can sign in with it."
                checked={provider.is_on}
                disabled={running !== undefined || (!provider.is_on && provider.tested_at === null)}
                onChange={({ target }) => change({ is_on: target.checked, is_required: false })}
              />
              <Checkbox
                label="Require single sign-on"
                note={`Members can't open this workspace in another way, you included. They sign in again every ${providerSessionDays} days.`}
                checked={provider.is_required}
                disabled={running !== undefined || !provider.is_on}
                onChange={({ target }) => (target.checked ? setOpen({ confirming: "require" }) : change({ is_required: false }))}
              />
              <Button variant="danger" size="small" style={{ justifySelf: "start" }} onClick={() => setOpen({ confirming: "remove" })}>
                Remove provider
              </Button>
            </>
          )}
        </>
      )}
      {open && "confirming" in open && (
        <ConfirmAction
          {...(open.confirming === "require"
            ? { title: "Require single sign-on?", confirm: "Require it", failure: "Couldn't save", act: () => save({ is_required: true }) }
            : {
                title: "Remove the provider?",
                confirm: "Remove",
                danger: true,
                failure: "Couldn't remove the provider",
                act: () => write(endpoints.remove, { params }),
              })}
          onClose={() => setOpen((latest) => (latest && "code" in latest ? latest : undefined))}
        >
          {open.confirming === "require"
            ? "Members who signed in with a password lose access until they use single sign-on. API keys of members who never used it stop working."
            : "Members sign in with their passwords again. People who joined by single sign-on can choose one with “Forgot password?”."}
        </ConfirmAction>
      )}
      {open && "code" in open && <BreakGlassDialog code={open.code} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function describe(provider: IdentityProvider | null): string {
  if (!provider?.is_on) return "Single sign-on is off.";
  const { issuer } = provider;
  return `Single sign-on with ${URL.canParse(issuer) ? new URL(issuer).host || issuer : issuer} is ${provider.is_required ? "required" : "on"}.`;
}

function Connection({ settings, save }: { settings: SingleSignOn; save: (changes: Changes) => Promise<void> }) {
  const { provider, redirect_uri, saml } = settings;
  const [kind, setKind] = useState(provider?.kind ?? "oidc");
  return (
    <Stack gap={4} style={{ width: "100%" }}>
      {saml ? (
        <SelectRow label="Protocol" value={kind} options={protocols} onChange={setKind} />
      ) : (
        <Note>This installation supports OpenID Connect. SAML needs the auth service GoTrue.</Note>
      )}
      {kind === "saml" && saml ? (
        <>
          <Facts
            facts={[
              ["Entity ID", <Copied key="entity" text={saml.entity_id} label="the entity ID" />],
              ["ACS URL", <Copied key="acs" text={saml.acs_url} label="the ACS URL" />],
              ["Provider", provider?.kind === "saml" && provider.issuer],
            ]}
          />
          <ContractForm
            key="saml"
            schema={samlConnection}
            failure="Couldn't save. Try again later."
            onSubmit={({ metadata }) => save({ kind, metadata })}
          >
            <TextAreaField
              name="metadata"
              label="Metadata"
              rows={4}
              placeholder="https://login.example.com/metadata.xml"
              hint="The provider's metadata, as a URL or XML. Save it again when the provider's certificate changes."
            />
            <SubmitButton>Save</SubmitButton>
          </ContractForm>
        </>
      ) : (
        <>
          <Facts facts={[["Redirect URI", <Copied key="uri" text={redirect_uri} label="the redirect URI" />]]} />
          <ContractForm
            key="oidc"
            schema={openIdConnection}
            initialValues={provider?.kind === "oidc" ? { issuer: provider.issuer, client_id: provider.client_id } : {}}
            failure="Couldn't save. Try again later."
            onSubmit={(values) => save({ kind: "oidc", ...values })}
          >
            <TextField name="issuer" label="Issuer" type="url" placeholder="https://login.example.com" autoComplete="off" />
            <TextField name="client_id" label="Client ID" autoComplete="off" />
            <TextField
              name="client_secret"
              label="Client secret"
              type="password"
              autoComplete="off"
              optional={provider?.kind === "oidc"}
              hint={
                provider?.kind === "oidc"
                  ? "Leave it empty to keep the current one. Another issuer needs a new one and a new test."
                  : undefined
              }
            />
            <SubmitButton>Save</SubmitButton>
          </ContractForm>
        </>
      )}
    </Stack>
  );
}

function BreakGlassDialog({ code, onClose }: { code: string; onClose: () => void }) {
  return (
    <Dialog
      open
      title="Save your break-glass code"
      width="32rem"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          I&apos;ve saved it
        </Button>
      }
    >
      <Stack>
        <p>
          If your provider fails, sign in with your password and enter this code. Single sign-on isn&apos;t required then. We can&apos;t
          show it again.
        </p>
        <CopyField label="Break-glass code" text={code} buttonLabel="the break-glass code" />
      </Stack>
    </Dialog>
  );
}
