import { useState } from "react";
import { operatorEndpoints, type OperatorPerson } from "#contract/operator.ts";
import { type Column, RowMenu } from "../../ui/data-table.tsx";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { call } from "../../lib/api-client.ts";
import { day } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Named, OperatorList } from "./operator-list.tsx";
import { usePersonView, useRefresh } from "./use-operator-list.ts";

/** The installation's people, newest first. */
export function PersonList() {
  const list = usePersonView();
  const { search, page } = list.written;
  const { data, error, isLoading, mutate } = useCall(operatorEndpoints.people, { query: { search, page } }, { keepPreviousData: true });
  const refresh = useRefresh();
  return (
    <OperatorList
      title="People"
      noun="the people"
      searchLabel="Search by name or email"
      columns={columns}
      rows={data?.people}
      list={list}
      pagination={data?.pagination}
      error={error}
      stale={isLoading}
      empty="No people yet"
      onRetry={() => void mutate()}
      actions={(person) =>
        (!person.is_confirmed || person.has_factor) && person.email && <PersonActions person={person} onChange={refresh} />
      }
    />
  );
}

const columns: readonly Column<OperatorPerson>[] = [
  { header: "Name", cell: ({ full_name, email }) => <Named name={full_name} detail={email} />, isRowHeader: true },
  { header: "Status", cell: (person) => <Status person={person} />, card: "labelled" },
  { header: "Workspaces", cell: ({ workspaces }) => workspaces.toLocaleString(), card: "labelled" },
  { header: "Joined", cell: ({ created_at }) => day(created_at), card: "labelled" },
  { header: "Last used", cell: ({ last_used_at }) => (last_used_at ? day(last_used_at) : "–"), card: "labelled" },
];

function Status({ person }: { person: OperatorPerson }) {
  if (!person.is_confirmed) return <StatusLabel label="Not confirmed" icon="clock" tone="warn" />;
  return person.is_operator ? (
    <StatusLabel label="Operator" icon="shield" tone="ok" />
  ) : (
    <StatusLabel label="Confirmed" icon="check-circle" tone="muted" />
  );
}

function PersonActions({ person: { id, email, has_factor }, onChange }: { person: OperatorPerson; onChange: () => Promise<unknown> }) {
  const [removing, setRemoving] = useState(false);
  async function send() {
    try {
      await call(operatorEndpoints.sendSignUpLink, { params: { userId: id } });
      toasts.success("Sign-up link sent", `${email} gets an email with a new link.`);
    } catch (error) {
      toasts.failure("Couldn't send the sign-up link", error);
    }
    await onChange();
  }
  async function removeFactors() {
    await call(operatorEndpoints.removeFactors, { params: { userId: id } });
    toasts.success("Two-factor authentication removed");
    await onChange();
  }
  const choice = has_factor
    ? { label: "Remove two-factor authentication", icon: "lock" as const, onChoose: () => setRemoving(true) }
    : { label: "Resend sign-up link", icon: "send" as const, onChoose: () => void send() };
  return (
    <>
      <RowMenu label={`Actions for ${email}`} choices={[choice]} />
      {removing && (
        <ConfirmAction
          title="Remove two-factor authentication?"
          confirm="Remove"
          danger
          failure="Couldn't remove it"
          act={removeFactors}
          onClose={() => setRemoving(false)}
        >
          {email} is signed out everywhere and told by email. Their password alone signs them in again. Make sure who asked you.
        </ConfirmAction>
      )}
    </>
  );
}
