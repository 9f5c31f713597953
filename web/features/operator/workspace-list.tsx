import type { AddOn } from "#contract/kinds.ts";
import { operatorEndpoints, type OperatorWorkspace } from "#contract/operator.ts";
import { StatusLabel } from "../../ui/status-label.tsx";
import { day } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { addOnLabels } from "../add-ons/add-on-labels.ts";
import { byteSize } from "./byte-size.ts";
import { Named, OperatorList } from "./operator-list.tsx";
import { useRefresh, useWorkspaceView } from "./use-operator-list.ts";
import { WorkspaceActions } from "./workspace-actions.tsx";
import css from "./operator.module.css";

/** The installation's workspaces, newest first. */
export function WorkspaceList() {
  const list = useWorkspaceView();
  const { search, page } = list.written;
  const { data, error, isLoading, mutate } = useCall(operatorEndpoints.workspaces, { query: { search, page } }, { keepPreviousData: true });
  const refresh = useRefresh();
  return (
    <OperatorList
      title="Workspaces"
      what="the workspaces"
      searchLabel="Search by name, subdomain or owner"
      columns={["Name", "Members", "Posts", "Files", "Add-ons", "Last activity"]}
      list={list}
      pagination={data?.pagination}
      error={error}
      stale={isLoading}
      empty="No workspaces yet"
      onRetry={() => void mutate()}
    >
      {data?.workspaces.map((workspace) => (
        <tr key={workspace.id}>
          <Named
            name={workspace.name}
            detail={workspace.owner_email ? `${workspace.subdomain} · ${workspace.owner_email}` : workspace.subdomain}
          >
            {workspace.suspension && <StatusLabel label="Suspended" icon="lock" tone="danger" />}
          </Named>
          <td data-label="Members" className={css.number}>
            {workspace.members.toLocaleString()}
          </td>
          <td data-label="Posts" className={css.number}>
            {workspace.posts.toLocaleString()}
          </td>
          <td data-label="Files" className={css.number}>
            {byteSize(workspace.file_bytes)}
          </td>
          <td data-label="Add-ons">
            <AddOns workspace={workspace} />
          </td>
          <td data-label="Last activity">{workspace.active_at ? day(workspace.active_at) : "–"}</td>
          <td className={css.more}>
            <WorkspaceActions workspace={workspace} onChange={refresh} />
          </td>
        </tr>
      ))}
    </OperatorList>
  );
}

function AddOns({ workspace: { add_ons, requested } }: { workspace: OperatorWorkspace }) {
  const names = (list: readonly (AddOn | "teams")[]) => list.flatMap((name) => (name === "teams" ? [] : addOnLabels[name].name)).join(", ");
  return (
    <>
      {names(add_ons) || "–"}
      {requested.length > 0 && <span className={css.detail}>Asked for: {names(requested)}</span>}
    </>
  );
}
