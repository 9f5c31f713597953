import type { ReactNode } from "react";
import type { AddOn } from "#contract/kinds.ts";
import type { OperatorOverview, OperatorWorkspace } from "#contract/operator.ts";
import { day, moment } from "../../lib/moment.ts";
import { addOnWords } from "../add-ons/add-on-labels.ts";
import { byteSize } from "./byte-size.ts";
import { WorkspaceActions } from "./workspace-actions.tsx";
import css from "./overview.module.css";

interface OverviewProps {
  overview: OperatorOverview;
  onChange: () => Promise<unknown>;
}

/** The state of an installation: workspaces, people, email, jobs, storage. */
export function Overview({ overview: { workspaces, people, email, jobs, log, storage }, onChange }: OverviewProps) {
  return (
    <div className={css.page}>
      <Facts
        title="Email"
        facts={[
          ["Sent in the last day", email.sent],
          ["Failed in the last day", email.failed],
          ["Bounced in the last week", email.bounced],
          ["Complaints in the last week", email.complaints],
          ["Workspaces on hold", email.workspaces_on_hold],
        ]}
      />
      <Facts
        title="Storage"
        facts={[
          ["Database", byteSize(storage.database_bytes)],
          ["Files", byteSize(storage.file_bytes)],
        ]}
      />
      <Table title="Jobs" columns={["Job", "Due", "Failing", "Waiting since"]}>
        {jobs.map(({ kind, waiting, failed, oldest_at }) => (
          <Row key={kind} cells={[jobNames[kind], waiting, failed, oldest_at ? moment(oldest_at) : "–"]} />
        ))}
      </Table>
      <Table
        title={titleOf("Workspaces", workspaces)}
        columns={["Name", "Owner", "Members", "Posts", "Files", "Add-ons", "Last activity", "Actions"]}
      >
        {workspaces.newest.map((one) => (
          <Row
            key={one.id}
            cells={[
              <Named key="name" name={one.name} detail={one.subdomain} />,
              one.owner_email ?? "–",
              one.members,
              one.posts,
              byteSize(one.file_bytes),
              <AddOns key="add-ons" workspace={one} />,
              one.active_at ? day(one.active_at) : "–",
              <WorkspaceActions key="actions" workspace={one} onChange={onChange} />,
            ]}
          />
        ))}
      </Table>
      {log.length > 0 && (
        <Table title="What operators did" columns={["When", "Who", "What"]}>
          {log.map(({ id, happened_at, operator_name, workspace_name, details }) => (
            <Row
              key={id}
              cells={[
                moment(happened_at),
                operator_name ?? "Deleted account",
                `Granted ${addOnWords[details.add_on].name} to ${workspace_name}`,
              ]}
            />
          ))}
        </Table>
      )}
      <Table title={titleOf("People", people)} columns={["Name", "Status", "Workspaces", "Joined", "Last used"]}>
        {people.newest.map((one) => (
          <Row
            key={one.id}
            cells={[
              <Named key="name" name={one.full_name} detail={one.email ?? ""} />,
              one.is_operator ? "Operator" : one.is_confirmed ? "Confirmed" : "Not confirmed",
              one.workspaces,
              day(one.created_at),
              one.last_used_at ? day(one.last_used_at) : "–",
            ]}
          />
        ))}
      </Table>
    </div>
  );
}

const jobNames: Record<OperatorOverview["jobs"][number]["kind"], string> = {
  emails: "Emails",
  webhooks: "Webhooks",
  scheduled_posts: "Scheduled posts",
  backups: "Workspace backups",
  file_removals: "File removals",
};

const titleOf = (name: string, { count, newest }: { count: number; newest: readonly object[] }): string =>
  count > newest.length ? `${name}: the newest ${newest.length} of ${count.toLocaleString()}` : `${name} (${count.toLocaleString()})`;

function Facts({ title, facts }: { title: string; facts: [string, string | number][] }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value.toLocaleString()}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Table({ title, columns, children }: { title: string; columns: string[]; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      <div className={css.scroll} role="group" aria-label={title} tabIndex={0}>
        <table className={css.table} aria-label={title}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ cells: [first, ...rest] }: { cells: ReactNode[] }) {
  return (
    <tr>
      <th scope="row">{first}</th>
      {rest.map((cell, place) => (
        <td key={place}>{typeof cell === "number" ? cell.toLocaleString() : cell}</td>
      ))}
    </tr>
  );
}

function AddOns({ workspace: { add_ons, requested } }: { workspace: OperatorWorkspace }) {
  const names = (list: readonly (AddOn | "teams")[]) => list.map((name) => (name === "teams" ? "Teams" : addOnWords[name].name)).join(", ");
  return (
    <>
      {names(add_ons)}
      {requested.length > 0 && <span className={css.detail}>Asked for: {names(requested)}</span>}
    </>
  );
}

function Named({ name, detail }: { name: string; detail: string }) {
  return (
    <>
      <span className={css.name}>{name}</span>
      <span className={css.detail}>{detail}</span>
    </>
  );
}
