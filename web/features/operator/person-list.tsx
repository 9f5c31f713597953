import { operatorEndpoints, type OperatorPerson } from "#contract/operator.ts";
import { Icon } from "../../ui/icon.tsx";
import { PopupMenu } from "../../ui/popup-menu.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { day } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Named, OperatorList } from "./operator-list.tsx";
import { usePersonView, useRefresh } from "./use-operator-list.ts";
import css from "./operator.module.css";

/** The installation's people, newest first. */
export function PersonList() {
  const list = usePersonView();
  const { search, page } = list.written;
  const { data, error, isLoading, mutate } = useCall(operatorEndpoints.people, { query: { search, page } }, { keepPreviousData: true });
  const refresh = useRefresh();
  return (
    <OperatorList
      title="People"
      what="the people"
      searchLabel="Search by name or email"
      columns={["Name", "Status", "Workspaces", "Joined", "Last used"]}
      list={list}
      pagination={data?.pagination}
      error={error}
      stale={isLoading}
      empty="No people yet"
      onRetry={() => void mutate()}
    >
      {data?.people.map((person) => (
        <tr key={person.id}>
          <Named name={person.full_name} detail={person.email} />
          <td data-label="Status">
            <Status person={person} />
          </td>
          <td data-label="Workspaces" className={css.number}>
            {person.workspaces.toLocaleString()}
          </td>
          <td data-label="Joined">{day(person.created_at)}</td>
          <td data-label="Last used">{person.last_used_at ? day(person.last_used_at) : "–"}</td>
          <td className={css.more}>{!person.is_confirmed && person.email && <PersonActions person={person} onChange={refresh} />}</td>
        </tr>
      ))}
    </OperatorList>
  );
}

function Status({ person }: { person: OperatorPerson }) {
  if (!person.is_confirmed) return <StatusLabel label="Not confirmed" icon="clock" tone="warn" />;
  return person.is_operator ? (
    <StatusLabel label="Operator" icon="shield" tone="ok" />
  ) : (
    <StatusLabel label="Confirmed" icon="check-circle" tone="muted" />
  );
}

/** What an operator can do for somebody whose address isn't confirmed. */
function PersonActions({ person: { id, email }, onChange }: { person: OperatorPerson; onChange: () => Promise<unknown> }) {
  async function send() {
    try {
      await call(operatorEndpoints.sendSignUpLink, { params: { userId: id } });
      toasts.success("Sign-up link sent", `${email} gets an email with a new link.`);
    } catch (error) {
      toasts.error("Couldn't send the sign-up link", error instanceof ApiError ? error.message : "Try again later.");
    }
    await onChange();
  }
  return (
    <PopupMenu
      className={css.menu}
      label={`Actions for ${email}`}
      choices={[{ label: "Resend sign-up link", icon: "send", onChoose: () => void send() }]}
    >
      <Icon name="ellipsis-h" />
    </PopupMenu>
  );
}
