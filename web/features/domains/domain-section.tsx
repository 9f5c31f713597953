import { Suspense, useState } from "react";
import { type Domain, domainEndpoints, domainsMax, newDomain } from "#contract/domains.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { NotRead } from "../../components/form-error.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { LateSection } from "../../components/section.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { TextField } from "../../components/text-field.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useHasAddOn } from "../add-ons/use-add-ons.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { DomainCard } from "./domain-card.tsx";
import css from "./domains.module.css";

const ConfirmDialog = lazyPart(
  () => import("../../components/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);

/** The names at which a workspace's page is read beside its address below ours. For owner and admins. */
export function DomainSection({ workspace }: { workspace: Workspace }) {
  const { role } = useCurrentWorkspace();
  const isThere = useHasAddOn(workspace.id, "custom-domain");
  const { domains, error, reload, ...actions } = useDomains(workspace.id);
  const isKnown = isThere !== undefined && domains !== undefined;
  return (
    <LateSection
      title="Your own domain"
      text="The changelog at a name of yours, such as changelog.example.com. Whoever opens its address here is then led there."
      anchor="domain"
    >
      {isKnown ? (
        <Loaded workspaceId={workspace.id} owns={role === "owner"} isThere={isThere} domains={domains} actions={actions} />
      ) : error ? (
        <NotRead title="Your names could not be read" message={error.message} onRetry={() => void reload()} />
      ) : (
        <Loading label="Loading your names">
          <Skeleton height="2.75rem" width="100%" />
        </Loading>
      )}
    </LateSection>
  );
}

type Actions = Pick<ReturnType<typeof useDomains>, "add" | "check" | "remove">;

interface LoadedProps {
  workspaceId: string;
  owns: boolean;
  isThere: boolean;
  domains: readonly Domain[];
  actions: Actions;
}

function Loaded({ workspaceId, owns, isThere, domains, actions: { add, check, remove } }: LoadedProps) {
  const [leaving, setLeaving] = useState<Domain>();
  const [added, setAdded] = useState(0);
  return (
    <>
      {domains.length > 0 && (
        <ul role="list" aria-label="Your names" className={css.domains}>
          {domains.map((domain) => (
            <DomainCard key={domain.host} domain={domain} check={check} onRemove={() => setLeaving(domain)} />
          ))}
        </ul>
      )}
      {!isThere ? (
        <>
          <p className={css.missing}>
            {domains.length > 0
              ? "Nobody is led to these names: the add-on “Custom domain” has ended."
              : "This workspace does not have the Custom domain add-on yet."}{" "}
            {!owns && "The owner of this workspace can add it."}
          </p>
          {owns && (
            <ButtonLink to={paths.upgrade({ workspace: workspaceId, "add-ons": "custom-domain" })} icon="bolt">
              Get Custom domain
            </ButtonLink>
          )}
        </>
      ) : domains.length < domainsMax ? (
        <AddForm key={added} add={add} another={domains.length > 0} focused={added > 0} onAdded={() => setAdded(added + 1)} />
      ) : (
        <p className={css.note}>A workspace can have {domainsMax} names of its own. Remove one to enter another.</p>
      )}
      <Suspense>{leaving && <RemoveDialog domain={leaving} remove={remove} onClose={() => setLeaving(undefined)} />}</Suspense>
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
      failure="The name could not be entered. Please try again later."
      onSubmit={async ({ host }) => {
        const { shown } = await add(host);
        toasts.success("The name is entered", `Now make the two records for ${shown}`);
        onAdded();
      }}
    >
      {({ submitting }) => (
        <div className={css.line}>
          <TextField
            name="host"
            label={another ? "Another name" : "Name"}
            maxLength={2_048}
            autoComplete="off"
            placeholder="changelog.example.com"
            hint="A name below a domain of yours. You make two records where your DNS is kept."
            autoFocus={focused}
          />
          <Button type="submit" busy={submitting}>
            Add
          </Button>
        </div>
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
      toasts.success("Removed", `${shown} is no name of this workspace any more`);
      onClose();
    } catch (error) {
      toasts.error("The name was not removed", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <ConfirmDialog title={`Remove ${shown}?`} confirm="Remove" danger busy={busy} onConfirm={() => void confirm()} onClose={onClose}>
      <p>
        {state === "live"
          ? "Links to it stop working at once, and the address here shows the changelog again."
          : "Its records count for nothing from then on."}{" "}
        Take its two records out of your DNS as well, so that the name leads nowhere it should not.
      </p>
    </ConfirmDialog>
  );
}

/** How often the state of a name is asked for while it is on its way. */
const waitingMs = 20_000;
const isOnItsWay = ({ state }: Domain): boolean => state === "dns" || state === "certificate";

/** A workspace's own names, and what can be done about them. What writes throws an ApiError. Null: nothing is asked. */
function useDomains(workspaceId: string | null) {
  const { data, error, mutate } = useCall(domainEndpoints.list, workspaceId === null ? null : { params: { workspaceId } }, {
    refreshInterval: (latest) => (latest?.domains.some(isOnItsWay) ? waitingMs : 0),
  });
  const params = { workspaceId: workspaceId ?? "" };
  const put = (domain: Domain) =>
    mutate((known) => known && { domains: known.domains.map((one) => (one.host === domain.host ? domain : one)) }, { revalidate: false });
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
