import { useId, type ReactNode } from "react";
import { searchTermMaxLength } from "#contract/limits.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListLoading, StaleRowsError } from "../../ui/list-loading.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import type { OperatorListView } from "./use-operator-list.ts";
import css from "./operator.module.css";

interface OperatorListProps {
  title: string;
  /** "the workspaces". */
  what: string;
  searchLabel: string;
  columns: string[];
  list: OperatorListView;
  pagination: { page: number; pages: number; total: number } | undefined;
  error: Error | undefined;
  stale: boolean;
  empty: string;
  onRetry: () => void;
  /** A row for each entry. */
  children: ReactNode;
}

/** A searchable table of workspaces or people, one page at a time. */
export function OperatorList(props: OperatorListProps) {
  const { title, what, searchLabel, columns, list, pagination, error, stale, empty, onRetry, children } = props;
  const id = useId();
  const { view, written } = list;
  return (
    <section aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>{title}</h2>
        <SearchInput
          label={searchLabel}
          className={css.search}
          maxLength={searchTermMaxLength}
          value={view.search}
          onChange={({ target }) => list.type(target.value)}
        />
      </header>
      {!pagination ? (
        <ListLoading label={what} error={error} rows={5} onRetry={onRetry} />
      ) : (
        <>
          {pagination.total === 0 ? (
            <EmptyState
              drawing="search"
              level={3}
              title={written.search === "" ? empty : "Nothing found"}
              text={written.search === "" ? undefined : "Try another name or email address."}
            />
          ) : (
            <div className={css.scroll} role="group" aria-labelledby={id} tabIndex={0}>
              <table className={css.table} aria-labelledby={id} aria-busy={stale && !error}>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th key={column} scope="col">
                        {column}
                      </th>
                    ))}
                    <th scope="col">
                      <span className="visually-hidden">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>{children}</tbody>
              </table>
            </div>
          )}
          {error && <StaleRowsError error={error} onRetry={onRetry} />}
          <Pages label={`Pages of ${what}`} {...pagination} onPage={list.goTo} />
        </>
      )}
    </section>
  );
}

interface PagesProps {
  label: string;
  page: number;
  pages: number;
  total: number;
  onPage: (page: number) => void;
}

function Pages({ label, page, pages, total, onPage }: PagesProps) {
  return (
    <nav className={css.pages} aria-label={label}>
      <span role="status">
        {pages > 1 ? `Page ${page} of ${pages} · ${total.toLocaleString()} in all` : total > 0 && `${total.toLocaleString()} in all`}
      </span>
      {pages > 1 && (
        <span className={css.turn}>
          <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}

export function Named({ name, detail, children }: { name: string; detail: ReactNode; children?: ReactNode }) {
  return (
    <th scope="row">
      <span className={css.name}>{name}</span>
      <span className={css.detail}>{detail}</span>
      {children}
    </th>
  );
}
