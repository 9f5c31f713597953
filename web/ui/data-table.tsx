import { type HTMLAttributes, type Key, type ReactNode, useId } from "react";
import { classNames } from "../lib/class-names.ts";
import { useIsMobile } from "../lib/use-media-query.ts";
import { Button } from "./button.tsx";
import css from "./data-table.module.css";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { Note, Row, Text } from "./layout.tsx";
import { ListLoading, StaleRowsError } from "./list-loading.tsx";
import { type MenuChoice, PopupMenu } from "./popup-menu.tsx";
import { Select } from "./select.tsx";

export interface Column<Item> {
  header: string;
  cell: (item: Item) => ReactNode;
  width?: string;
  /** Names the row for screen readers. */
  isRowHeader?: boolean;
  style?: "small" | "number";
  /** Place in a phone's card: first line, its right end, a line of its own, or in the last lines, there also with the header. */
  card?: "title" | "corner" | "wide" | "labelled";
  key?: string;
}

export interface DataTableProps<Item> {
  "aria-label"?: string;
  "aria-labelledby"?: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[] | undefined;
  rowKey: (item: Item) => Key;
  load?: { noun: string; error: Error | undefined; onRetry: () => void; stale?: boolean; skeletons?: number };
  empty?: ReactNode;
  sort?: { by: string; descending: boolean; onSort: (key: string) => void };
  selection?: {
    label: (item: Item) => string;
    has: (item: Item) => boolean;
    can?: (item: Item) => boolean;
    set: (item: Item, on: boolean) => void;
    all?: { label: string; checked: boolean; onToggle: () => void };
  };
  row?: (item: Item) => HTMLAttributes<HTMLTableRowElement>;
  actions?: (item: Item) => ReactNode;
  pager?: PagerProps;
  older?: { busy: boolean; onShow: (() => void) | undefined };
  className?: string;
}

export function DataTable<Item>({ load, empty, pager, older, sort, ...table }: DataTableProps<Item>) {
  const mobile = useIsMobile();
  const { rows } = table;
  const { error, onRetry = () => {}, stale } = load ?? {};
  if (!rows || (rows.length === 0 && (stale || error)))
    return <ListLoading label={load?.noun ?? "the rows"} error={error} rows={load?.skeletons ?? 5} onRetry={onRetry} />;
  if (rows.length === 0) return empty;
  return (
    <>
      {sort && mobile && <SortBy columns={table.columns} sort={sort} />}
      {table.selection?.all && mobile && (
        <Row as="label" className={css.select}>
          <SelectAll {...table.selection.all} />
          Select all
        </Row>
      )}
      <Table {...table} rows={rows} sort={sort} mobile={mobile} busy={stale && !error} />
      {pager && <Pager {...pager} />}
      {older?.onShow && (
        <Row justify="end">
          <Button busy={older.busy} onClick={older.onShow}>
            Show older
          </Button>
        </Row>
      )}
      {error && <StaleRowsError error={error} onRetry={onRetry} />}
    </>
  );
}

const selectWidth = "2.25rem";

interface TableProps<Item> extends Omit<DataTableProps<Item>, "load" | "empty" | "pager" | "older"> {
  rows: readonly Item[];
  mobile: boolean;
  busy: boolean | undefined;
}

function Table<Item>({ columns, rows, rowKey, row, sort, selection, actions, mobile, busy, className, ...label }: TableProps<Item>) {
  const isSortable = ({ key }: Column<Item>) => sort && key && !mobile; // phones hide the header row
  return (
    <table {...label} className={classNames(css.table, className)} aria-busy={busy}>
      <thead>
        <tr>
          {selection?.all && !mobile ? (
            <th scope="col" className={css.select} style={{ width: selectWidth }}>
              <Row as="label">
                <SelectAll {...selection.all} />
              </Row>
            </th>
          ) : (
            selection && <HiddenHeader text="Select" width={selectWidth} />
          )}
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              className={column.style && css[column.style]}
              style={{ width: column.width }}
              aria-sort={sort && sort.by === column.key ? (sort.descending ? "descending" : "ascending") : undefined}
            >
              {isSortable(column) ? <SortButton column={column} sort={sort!} /> : column.header}
            </th>
          ))}
          {actions && <HiddenHeader text="Actions" width="3rem" />}
        </tr>
      </thead>
      <tbody>
        {rows.map((item) => (
          <tr key={rowKey(item)} {...row?.(item)}>
            {selection && (
              <td className={css.select}>
                <label>
                  <input
                    type="checkbox"
                    aria-label={selection.label(item)}
                    checked={selection.has(item)}
                    disabled={selection.can?.(item) === false}
                    onChange={({ target }) => selection.set(item, target.checked)}
                  />
                </label>
              </td>
            )}
            {columns.map((column) => (
              <Cell key={column.header} column={column} item={item} />
            ))}
            {actions && <td className={css.corner}>{actions(item)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell<Item>({ column: { header, cell, isRowHeader, style, card = isRowHeader ? "title" : undefined }, item }: CellProps<Item>) {
  const className = classNames(style && css[style], card && css[card]);
  const content = cell(item);
  if (isRowHeader)
    return (
      <th scope="row" className={className}>
        {content}
      </th>
    );
  return (
    <td className={className} data-label={card === "labelled" ? `${header}: ` : undefined}>
      {content}
    </td>
  );
}

interface CellProps<Item> {
  column: Column<Item>;
  item: Item;
}

type All = NonNullable<NonNullable<DataTableProps<unknown>["selection"]>["all"]>;

const SelectAll = ({ label, checked, onToggle }: All) => <input type="checkbox" aria-label={label} checked={checked} onChange={onToggle} />;

const HiddenHeader = ({ text, width }: { text: string; width: string }) => (
  <th scope="col" style={{ width }}>
    <span className="visually-hidden">{text}</span>
  </th>
);

type Sort = NonNullable<DataTableProps<unknown>["sort"]>;

function SortButton({
  column: { header, key = "" },
  sort: { by, descending, onSort },
}: {
  column: { header: string; key?: string };
  sort: Sort;
}) {
  return (
    <button type="button" className={css.sort} onClick={() => onSort(key)}>
      {header}
      <Icon name={by !== key ? "sort-alt" : descending ? "angle-down" : "angle-up"} />
    </button>
  );
}

function SortBy({ columns, sort: { by, onSort } }: { columns: readonly { header: string; key?: string }[]; sort: Sort }) {
  const id = useId();
  return (
    <Row nowrap className={css.sortBy}>
      <Text as="label" tone="muted" htmlFor={id}>
        Sort by
      </Text>
      <Select id={id} value={by} options={columns.flatMap(({ key, header }) => (key ? [[key, header] as const] : []))} onChange={onSort} />
      <IconButton icon="sort-alt" label="Reverse order" onClick={() => onSort(by)} />
    </Row>
  );
}

interface PagerProps {
  label: string;
  /** Announced: "1–50 of 120". */
  status: ReactNode;
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

function Pager({ label, status, page, pages, onPage }: PagerProps) {
  return (
    <Row as="nav" gap={3} justify="between" aria-label={label}>
      <Note as="span" role="status">
        {status}
      </Note>
      {pages > 1 && (
        <Row>
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </Row>
      )}
    </Row>
  );
}

export function RowMenu({ label, choices }: { label: string; choices: readonly MenuChoice[] }) {
  return (
    <PopupMenu className={css.menu} label={label} choices={choices}>
      <Icon name="ellipsis-h" />
    </PopupMenu>
  );
}

export function TableFilters({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Row className={css.filters} role="search" aria-label={label}>
      {children}
    </Row>
  );
}
