import { Suspense, useState } from "react";
import { type Domain, domainEndpoints, domainsMax, newDomain } from "#contract/domains.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ContractForm } from "../../ui/contract-form.tsx";
import { FieldWithButton } from "../../ui/field-frame.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { DomainCard } from "./domain-card.tsx";

const ConfirmDialog = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmDialog");

/** Custom domains of the public page. For owner and admins. */
export function DomainSection({ workspace }: { workspace: Workspace }) {
  const { role } = useCurrentWorkspace();
  const hasAddOn = useHasAddOn(workspace.id, "custom-domain");
  const { domains, error, reload, ...actions } = useDomains(workspace.id);
  const isLoaded = hasAddOn !== undefined && domains !== undefined;
  return (
    <Section
      title="Custom domain"
      text="Serve your changelog from your own domain, such as changelog.example.com. Your current URL will redirect there."
    >
      {isLoaded ? (
        <Loaded workspaceId={workspace.id} isOwner={role === "owner"} hasAddOn={hasAddOn} domains={domains} actions={actions} />
      ) : error ? (
        <LoadError title="Couldn't load your domains" message={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading your domains">
          <Skeleton height="2.75rem" width="100%" />
        </Loading>
      )}
    </Section>
  );
}

type Actions = Pick<ReturnType<typeof useDomains>, "add" | "check" | "remove">;

interface LoadedProps {
  workspaceId: string;
  isOwner: boolean;
  hasAddOn: boolean;
  domains: readonly Domain[];
  actions: Actions;
}

function Loaded({ workspaceId, isOwner, hasAddOn, domains, actions: { add, check, remove } }: LoadedProps) {
  const [removing, setLeaving] = useState<Domain>();
  const [added, setAdded] = useState(0);
  return (
    <>
      {domains.length > 0 && (
        <Stack as="ul" role="list" aria-label="Your domains" style={{ width: "100%" }}>
          {domains.map((domain) => (
            <DomainCard key={domain.host} domain={domain} check={check} onRemove={() => setLeaving(domain)} />
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
            <ButtonLink to={paths.upgrade({ workspace: workspaceId, "add-ons": "custom-domain" })} icon="bolt">
              Get Custom domain
            </ButtonLink>
          )}
        </>
      ) : domains.length < domainsMax ? (
        <AddForm key={added} add={add} another={domains.length > 0} focused={added > 0} onAdded={() => setAdded(added + 1)} />
      ) : (
        <Text size="small" tone="muted">
          A workspace can have {domainsMax} domains. Remove one to add another.
        </Text>
      )}
      <Suspense>{removing && <RemoveDialog domain={removing} remove={remove} onClose={() => setLeaving(undefined)} />}</Suspense>
    </>
  );
}

interface AddFormProps {
  add: Actions["add"];
  another: boolean;
  focused: boolean;
  onAdded: () => void;
}

function AddForm({ add, another, focused, onAdded }: AddFormProps) {
  return (
    <ContractForm
      schema={newDomain}
      failure="Couldn't add the domain. Please try again later."
      onSubmit={async ({ host }) => {
        const { shown } = await add(host);
        toasts.success("Domain added", `Now add both DNS records for ${shown}`);
        onAdded();
      }}
    >
      {({ submitting }) => (
        <FieldWithButton>
          <TextField
            name="host"
            label={another ? "Another domain" : "Domain"}
            maxLength={2_048}
            autoComplete="off"
            placeholder="changelog.example.com"
            hint="A subdomain of a domain you own. You'll add two DNS records."
            autoFocus={focused}
          />
          <Button type="submit" busy={submitting}>
            Add
          </Button>
        </FieldWithButton>
      )}
    </ContractForm>
  );
}

interface RemoveDialogProps {
  domain: Domain;
  remove: Actions["remove"];
  onClose: () => void;
}

function RemoveDialog({ domain: { host, shown, state }, remove, onClose }: RemoveDialogProps) {
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      await remove(host);
      toasts.success("Domain removed", `${shown} no longer belongs to this workspace`);
      onClose();
    } catch (error) {
      toasts.error("Couldn't remove the domain", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog title={`Remove ${shown}?`} confirm="Remove" danger busy={busy} onConfirm={() => void confirm()} onClose={onClose}>
      <p>
        {state === "live"
          ? "Links to it stop working immediately. Your Tidings URL shows the changelog again."
          : "Its DNS records are no longer checked."}{" "}
        Remove both DNS records as well.
      </p>
    </ConfirmDialog>
  );
}

/** Polling interval while a domain is being set up. */
const pollMs = 20_000;
const isPending = ({ state }: Domain): boolean => state === "dns" || state === "certificate";

/** Null: no request. Writes throw ApiError. */
function useDomains(workspaceId: string | null) {
  const { data, error, mutate } = useCall(domainEndpoints.list, workspaceId === null ? null : { params: { workspaceId } }, {
    refreshInterval: (latest) => (latest?.domains.some(isPending) ? pollMs : 0),
  });
  const params = { workspaceId: workspaceId ?? "" };
  const put = (domain: Domain) =>
    mutate((cached) => cached && { domains: cached.domains.map((one) => (one.host === domain.host ? domain : one)) }, {
      revalidate: false,
    });
  return {
    domains: data?.domains,
    error,
    reload: () => mutate(),
    add: async (host: string): Promise<Domain> => {
      const { domain } = await call(domainEndpoints.add, { params, body: { host } });
      await mutate();
      return domain;
    },
    check: async (host: string): Promise<Domain> => {
      const { domain } = await call(domainEndpoints.check, { params: { ...params, host } });
      await put(domain);
      return domain;
    },
    remove: async (host: string): Promise<void> => {
      await call(domainEndpoints.remove, { params: { ...params, host } });
      await mutate();
    },
  };
}
