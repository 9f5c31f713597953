import { type ReactNode, useId } from "react";
import { searchTermMaxLength } from "#contract/limits.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Note } from "../../ui/layout.tsx";
import { ListSection } from "../../ui/list-section.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import type { OperatorListView } from "./use-operator-list.ts";

interface OperatorListProps<Item> {
  title: string;
  /** "the workspaces". */
  noun: string;
  searchLabel: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[] | undefined;
  list: OperatorListView;
  pagination: { page: number; pages: number; total: number } | undefined;
  error: Error | undefined;
  stale: boolean;
  empty: string;
  onRetry: () => void;
  actions: (item: Item) => ReactNode;
}

/** A searchable table of workspaces or people, one page at a time. */
export function OperatorList<Item extends { id: string }>(props: OperatorListProps<Item>) {
  const { title, noun, searchLabel, list, pagination, error, stale, empty, onRetry, ...table } = props;
  const id = useId();
  const { view, written } = list;
  const isSearch = written.search !== "";
  return (
    <ListSection
      id={id}
      title={title}
      action={
        <SearchInput
          label={searchLabel}
          maxLength={searchTermMaxLength}
          value={view.search}
          onChange={({ target }) => list.type(target.value)}
        />
      }
    >
      <DataTable
        {...table}
        aria-labelledby={id}
        rowKey={(item) => item.id}
        load={{ noun, error, onRetry, stale }}
        empty={
          <EmptyState
            drawing="search"
            level={3}
            title={isSearch ? "Nothing found" : empty}
            text={isSearch ? "Try another name or email address." : undefined}
          />
        }
        pager={
          pagination && {
            label: `Pages of ${noun}`,
            status: `${pagination.pages > 1 ? `Page ${pagination.page} of ${pagination.pages} · ` : ""}${pagination.total.toLocaleString()} in all`,
            page: pagination.page,
            pages: pagination.pages,
            onPage: list.goTo,
          }
        }
      />
    </ListSection>
  );
}

export function Named({ name, detail, children }: { name: string; detail: ReactNode; children?: ReactNode }) {
  return (
    <>
      {name}
      <Note>{detail}</Note>
      {children}
    </>
  );
}
