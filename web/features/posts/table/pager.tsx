import { tablePageSizes } from "#contract/limits.ts";
import { pageWindow } from "#contract/rules/page-window.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { PageSize } from "./table-query.ts";
import css from "./pager.module.css";

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  size: PageSize;
  onPage: (page: number) => void;
  onSize: (size: PageSize) => void;
}

/** At most 7 page buttons with ellipsis, and the page size. Source: specification, section 9. */
export function Pager({ page, pages, total, size, onPage, onSize }: PagerProps) {
  const first = Math.min(total, (page - 1) * size + 1);
  const last = Math.min(total, page * size);
  const choose = (value: number) => {
    const chosen = tablePageSizes.find((one) => one === value);
    if (chosen) onSize(chosen);
  };
  return (
    <div className={css.pager}>
      <p className={css.range} role="status">
        {first.toLocaleString()}–{last.toLocaleString()} of {total.toLocaleString()}
      </p>
      <nav className={css.pages} aria-label="Table pages">
        <IconButton icon="chevron-left" label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
        {pageWindow(page, pages).map((entry, index) =>
          entry === "ellipsis" ? (
            <span key={`gap ${index}`} className={css.gap} aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={entry}
              type="button"
              className={css.page}
              aria-label={`Page ${entry}`}
              aria-current={entry === page ? "page" : undefined}
              onClick={() => onPage(entry)}
            >
              {entry.toLocaleString()}
            </button>
          ),
        )}
        <IconButton icon="chevron-right" label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)} />
      </nav>
      <label className={css.size}>
        Rows per page
        <select className={css.select} value={size} onChange={(event) => choose(Number(event.target.value))}>
          {tablePageSizes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
