import type { AddOn } from "#contract/kinds.ts";
import { operatorEndpoints, type OperatorWorkspace } from "#contract/operator.ts";
import type { Column } from "../../ui/data-table.tsx";
import { Note } from "../../ui/layout.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { day } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { addOnLabels } from "../add-ons/add-on-labels.ts";
import { formatSize } from "../backups/backup-labels.ts";
import { Named, OperatorList } from "./operator-list.tsx";
import { useRefresh, useWorkspaceView } from "./use-operator-list.ts";
import { WorkspaceActions } from "./workspace-actions.tsx";

/** The installation's workspaces, newest first. */
export function WorkspaceList() {
  const list = useWorkspaceView();
  const { search, page } = list.written;
  const { data, error, isLoading, mutate } = useCall(operatorEndpoints.workspaces, { query: { search, page } }, { keepPreviousData: true });
  const refresh = useRefresh();
  return (
    <OperatorList
      title="Workspaces"
      noun="the workspaces"
      searchLabel="Search by name, subdomain or owner"
      columns={columns}
      rows={data?.workspaces}
      list={list}
      pagination={data?.pagination}
      error={error}
      stale={isLoading}
      empty="No workspaces yet"
      onRetry={() => void mutate()}
      actions={(workspace) => <WorkspaceActions workspace={workspace} onChange={refresh} />}
    />
  );
}

const columns: readonly Column<OperatorWorkspace>[] = [
  {
    header: "Name",
    cell: ({ name, subdomain, owner_email, suspension }) => (
      <Named name={name} detail={owner_email ? `${subdomain} · ${owner_email}` : subdomain}>
        {suspension && <StatusLabel label="Suspended" icon="lock" tone="danger" />}
      </Named>
    ),
    isRowHeader: true,
  },
  { header: "Members", cell: ({ members }) => members.toLocaleString(), card: "labelled" },
  { header: "Posts", cell: ({ posts }) => posts.toLocaleString(), card: "labelled" },
  { header: "Files", cell: ({ file_bytes }) => formatSize(file_bytes), card: "labelled" },
  { header: "Add-ons", cell: (workspace) => <AddOns workspace={workspace} />, card: "labelled" },
  { header: "Last activity", cell: ({ active_at }) => (active_at ? day(active_at) : "–"), card: "labelled" },
];

function AddOns({ workspace: { add_ons, requested } }: { workspace: OperatorWorkspace }) {
  const names = (list: readonly (AddOn | "teams")[]) => list.flatMap((name) => (name === "teams" ? [] : addOnLabels[name].name)).join(", ");
  return (
    <>
      {names(add_ons) || "–"}
      {requested.length > 0 && <Note>Asked for: {names(requested)}</Note>}
    </>
  );
}
