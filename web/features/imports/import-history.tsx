import { Suspense, useState } from "react";
import { importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { sourceLabels } from "./source-labels.ts";
import { KeptPostsList } from "./stayed-posts.tsx";
import css from "./import-history.module.css";

const UndoDialog = lazyPart(
  () => import("./undo-dialog.tsx"),
  (part) => part.UndoDialog,
);

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
  return (
    <section aria-labelledby="import-history">
      <h2 id="import-history">Import history</h2>
      {!data ? (
        <ListLoading label="the imports" error={error} rows={3} onRetry={() => void mutate()} />
      ) : data.imports.length === 0 ? (
        <EmptyState drawing="desk" level={3} title="No imports yet" text="Your imports will appear here. You can undo them." />
      ) : (
        <table className={css.table} aria-labelledby="import-history">
          <thead>
            <tr>
              <th scope="col">SOURCE</th>
              <th scope="col">IMPORTED</th>
              <th scope="col">POSTS</th>
              <th scope="col">
                <span className="visually-hidden">ACTIONS</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.imports.map((one) => (
              <tr key={one.id}>
                <th scope="row" className={css.from}>
                  {one.name || sourceLabels[one.source]}
                  {one.name !== sourceLabels[one.source] && <span className={css.muted}>{sourceLabels[one.source]}</span>}
                </th>
                <td className={css.when}>
                  <time dateTime={one.created_at}>{moment(one.created_at)}</time>
                  {one.created_by_name && <span className={css.muted}>{one.created_by_name}</span>}
                </td>
                <td className={css.counts}>
                  {formatCounts(one)}
                  <span className={css.muted}>{statusText(one)}</span>
                  {one.undone_at !== null && one.left > 0 && <KeptPostsList workspaceId={workspaceId} imported={one} />}
                </td>
                <td className={css.actions}>
                  {one.undone_at === null && one.made + one.replaced > 0 && (
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
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Suspense>
        {undoing && (
          <UndoDialog workspaceId={workspaceId} imported={undoing} onUndone={() => void mutate()} onClose={() => setUndoing(undefined)} />
        )}
      </Suspense>
    </section>
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
