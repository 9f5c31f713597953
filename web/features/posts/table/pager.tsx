import { tablePageSizes } from "#contract/limits.ts";
import { pageWindow } from "#contract/rules/page-window.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { PageSize } from "./table-query.ts";
import { Note, Row, Text } from "../../../ui/layout.tsx";

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
    <Row gap={3} justify="between">
      <Note role="status">
        {first.toLocaleString()}–{last.toLocaleString()} of {total.toLocaleString()}
      </Note>
      <Row as="nav" gap={0} aria-label="Table pages">
        <IconButton icon="chevron-left" label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
        {pageWindow(page, pages).map((entry, index) =>
          entry === "ellipsis" ? (
            <Text as="span" tone="muted" key={`gap ${index}`} aria-hidden="true">
              …
            </Text>
          ) : (
            <Row
              as="button"
              choice
              justify="center"
              key={entry}
              type="button"
              style={{ minWidth: "2.25rem", paddingInline: "var(--space-1)" }}
              aria-label={`Page ${entry}`}
              aria-current={entry === page ? "page" : undefined}
              onClick={() => onPage(entry)}
            >
              {entry.toLocaleString()}
            </Row>
          ),
        )}
        <IconButton icon="chevron-right" label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)} />
      </Row>
      <Row as="label">
        <Note as="span">Rows per page</Note>
        <select value={size} onChange={(event) => choose(Number(event.target.value))}>
          {tablePageSizes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Row>
    </Row>
  );
}
