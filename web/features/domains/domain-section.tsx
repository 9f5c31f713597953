import { type ReactNode, Suspense, useState } from "react";
import { type Domain, domainEndpoints, domainsMax, newDomain } from "#contract/domains.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { Note, Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { DomainCard } from "./domain-card.tsx";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

/** Polling interval while a domain is being set up. */
const pollMs = 20_000;
const isPending = ({ state }: Domain): boolean => state === "dns" || state === "certificate";

/** Custom domains of the public page. For owner and admins. */
export function DomainSection({ workspace }: { workspace: Workspace }) {
  const params = { workspaceId: workspace.id };
  const isOwner = useCurrentWorkspace().role === "owner";
  const hasAddOn = useHasAddOn(workspace.id, "custom-domain");
  const { data, error, mutate, write } = useCall(
    domainEndpoints.list,
    { params },
    { refreshInterval: (latest) => (latest?.domains.some(isPending) ? pollMs : 0) },
  );
  const [removing, setRemoving] = useState<Domain>();
  const [added, setAdded] = useState(0);
  const domains = data?.domains ?? [];
  if (hasAddOn === undefined || !data) {
    return (
      <Part>
        <ListLoading label="your domains" error={error} rows={1} onRetry={() => void mutate()} />
      </Part>
    );
  }
  return (
    <Part>
      {domains.length > 0 && (
        <Stack as="ul" role="list" aria-label="Your domains" style={{ width: "100%" }}>
          {domains.map((domain) => (
            <DomainCard
              key={domain.host}
              domain={domain}
              check={() => write(domainEndpoints.check, { params: { ...params, host: domain.host } })}
              onRemove={() => setRemoving(domain)}
            />
          ))}
        </Stack>
      )}
      {!hasAddOn ? (
        <>
          <Text tone="muted">
            {domains.length > 0
              ? "Your page doesn't redirect to these domains: the Custom domain add-on has ended."
              : "This workspace doesn't have the Custom domain add-on yet."}{" "}
            {!isOwner && "The owner of this workspace can add it."}
          </Text>
          {isOwner && (
            <ButtonLink to={paths.upgrade({ workspace: workspace.id, "add-ons": "custom-domain" })} icon="bolt">
              Get Custom domain
            </ButtonLink>
          )}
        </>
      ) : domains.length < domainsMax ? (
        <ContractForm
          key={added}
          schema={newDomain}
          failure="Couldn't add the domain. Please try again later."
          onSubmit={async ({ host }) => {
            const { domain } = await write(domainEndpoints.add, { params, body: { host } });
            toasts.success("Domain added", `Now add both DNS records for ${domain.shown}`);
            setAdded(added + 1);
          }}
        >
          <FieldWithButton>
            <TextField
              name="host"
              label={domains.length > 0 ? "Another domain" : "Domain"}
              maxLength={2_048}
              autoComplete="off"
              placeholder="changelog.example.com"
              hint="A subdomain of a domain you own. You'll add two DNS records."
              autoFocus={added > 0}
            />
            <SubmitButton>Add</SubmitButton>
          </FieldWithButton>
        </ContractForm>
      ) : (
        <Note>A workspace can have {domainsMax} domains. Remove one to add another.</Note>
      )}
      <Suspense>
        {removing && (
          <ConfirmAction
            title={`Remove ${removing.shown}?`}
            confirm="Remove"
            danger
            failure="Couldn't remove the domain"
            act={async () => {
              await write(domainEndpoints.remove, { params: { ...params, host: removing.host } });
              toasts.success("Domain removed", `${removing.shown} no longer belongs to this workspace`);
            }}
            onClose={() => setRemoving(undefined)}
          >
            <p>
              {removing.state === "live"
                ? "Links to it stop working immediately. Your Tidings URL shows the changelog again."
                : "Its DNS records are no longer checked."}{" "}
              Remove both DNS records as well.
            </p>
          </ConfirmAction>
        )}
      </Suspense>
    </Part>
  );
}

const Part = ({ children }: { children: ReactNode }) => (
  <Section
    title="Custom domain"
    text="Serve your changelog from your own domain, such as changelog.example.com. Your current URL will redirect there."
  >
    {children}
  </Section>
);
