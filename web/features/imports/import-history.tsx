import { Suspense, useState } from "react";
import { importEndpoints, type WorkspaceImport } from "#contract/imports.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { ListNotRead } from "../../components/list-not-read.tsx";
import { moment } from "../../lib/moment.ts";
import { useCall } from "../../lib/use-call.ts";
import { sourceLabels } from "./source-labels.ts";
import { StayedList } from "./stayed-posts.tsx";
import css from "./import-history.module.css";

const UndoDialog = lazyPart(
  () => import("./undo-dialog.tsx"),
  (part) => part.UndoDialog,
);

/** The workspace's imports, whoever began them. */
export const useImports = (workspaceId: string) => useCall(importEndpoints.list, { params: { workspaceId } });

interface ImportHistoryProps {
  workspaceId: string;
  imports: ReturnType<typeof useImports>;
  /** One runs in this tab: taking one back meanwhile would be confusing. */
  busy: boolean;
}

/** Imports so far: from where, when, by whom, what came of them, and a way back. */
export function ImportHistory({ workspaceId, imports: { data, error, mutate }, busy }: ImportHistoryProps) {
  const [asking, setAsking] = useState<WorkspaceImport>();
  return (
    <section aria-labelledby="import-history">
      <h2 id="import-history">Imports so far</h2>
      {!data ? (
        <ListNotRead what="the imports" error={error} rows={3} onRetry={() => void mutate()} />
      ) : data.imports.length === 0 ? (
        <EmptyState drawing="desk" level={3} title="Nothing was imported yet" text="Each import is listed here and can be taken back." />
      ) : (
        <table className={css.table} aria-labelledby="import-history">
          <thead>
            <tr>
              <th scope="col">FROM</th>
              <th scope="col">WHEN, BY WHOM</th>
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
                  {countWords(one)}
                  <span className={css.muted}>{endWords(one)}</span>
                  {one.undone_at !== null && one.left > 0 && <StayedList workspaceId={workspaceId} imported={one} />}
                </td>
                <td className={css.actions}>
                  {one.undone_at === null && one.made + one.replaced > 0 && (
                    <Button
                      variant="quiet"
                      size="small"
                      icon="undo"
                      disabled={busy}
                      aria-label={`Undo the import of ${one.name}`}
                      onClick={() => setAsking(one)}
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
        {asking && (
          <UndoDialog workspaceId={workspaceId} imported={asking} onUndone={() => void mutate()} onClose={() => setAsking(undefined)} />
        )}
      </Suspense>
    </section>
  );
}

function countWords({ made, replaced, failed }: WorkspaceImport): string {
  const counts: [number, string][] = [
    [made, "new"],
    [replaced, "replaced"],
    [failed, "failed"],
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, words]) => `${count.toLocaleString()} ${words}`);
  return said.length === 0 ? "None" : said.join(", ");
}

function endWords({ made, replaced, failed, total, finished_at, undone_at, left }: WorkspaceImport): string | null {
  if (undone_at !== null) return left === 0 ? "Taken back" : `Taken back; ${left.toLocaleString()} stayed`;
  if (finished_at !== null) return null;
  return `${(made + replaced + failed).toLocaleString()} of ${total.toLocaleString()}, not finished`;
}
