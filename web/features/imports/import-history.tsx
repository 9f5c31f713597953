import { Suspense, useState } from "react";
import { importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Note } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { sourceLabels } from "./source-labels.ts";
import { KeptPostsList } from "./kept-posts.tsx";

const UndoDialog = lazyPart(() => import("./undo-dialog.tsx"), "UndoDialog");

/** All imports of the workspace. */
export const useImports = (workspaceId: string) => useCall(importEndpoints.list, { params: { workspaceId } });

interface ImportHistoryProps {
  workspaceId: string;
  imports: ReturnType<typeof useImports>;
  /** True during an import, which blocks Undo. */
  busy: boolean;
}

export function ImportHistory({ workspaceId, imports: { data, error, mutate }, busy }: ImportHistoryProps) {
  const [undoing, setUndoing] = useState<WorkspaceImport>();
  const columns: Column<WorkspaceImport>[] = [
    {
      header: "Source",
      cell: ({ name, source }) => (
        <>
          {name || sourceLabels[source]}
          {name !== sourceLabels[source] && <Note>{sourceLabels[source]}</Note>}
        </>
      ),
      isRowHeader: true,
    },
    {
      header: "Imported",
      cell: ({ created_at, created_by_name }) => (
        <>
          <time dateTime={created_at}>{moment(created_at)}</time>
          {created_by_name && <Note>{created_by_name}</Note>}
        </>
      ),
      width: "15rem",
      card: "wide",
    },
    {
      header: "Posts",
      cell: (one) => (
        <>
          {formatCounts(one)}
          <Note>{statusText(one)}</Note>
          {one.undone_at !== null && one.left > 0 && <KeptPostsList workspaceId={workspaceId} imported={one} />}
        </>
      ),
      width: "16rem",
      card: "wide",
    },
  ];
  return (
    <ListSection id="import-history" title="Import history">
      <DataTable
        aria-labelledby="import-history"
        columns={columns}
        rows={data?.imports}
        rowKey={({ id }) => id}
        load={{ noun: "the imports", error: data ? undefined : error, onRetry: () => void mutate(), skeletons: 3 }}
        empty={<EmptyState drawing="desk" level={3} title="No imports yet" text="Your imports will appear here. You can undo them." />}
        actions={(one) =>
          one.undone_at === null &&
          one.made + one.replaced > 0 && (
            <Button
              variant="quiet"
              size="small"
              icon="undo"
              disabled={busy}
              aria-label={`Undo the import of ${one.name}`}
              onClick={() => setUndoing(one)}
            >
              Undo
            </Button>
          )
        }
      />
      <Suspense>
        {undoing && (
          <UndoDialog workspaceId={workspaceId} imported={undoing} onUndone={() => void mutate()} onClose={() => setUndoing(undefined)} />
        )}
      </Suspense>
    </ListSection>
  );
}

function formatCounts({ made, replaced, failed }: WorkspaceImport): string {
  const counts: [number, string][] = [
    [made, "new"],
    [replaced, "replaced"],
    [failed, "failed"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString()} ${words}`);
  return parts.length === 0 ? "None" : parts.join(", ");
}

function statusText({ made, replaced, failed, total, finished_at, undone_at, left }: WorkspaceImport): string | null {
  if (undone_at !== null) return left === 0 ? "Undone" : `Undone, ${left.toLocaleString()} kept`;
  if (finished_at !== null) return null;
  return `${(made + replaced + failed).toLocaleString()} of ${total.toLocaleString()}, unfinished`;
}
