import { useId, useMemo, useState } from "react";
import { Link } from "react-router-dom";
import type { Analytics, AnalyticsPost } from "#contract/analytics.ts";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { paths } from "../../lib/paths.ts";
import { useIsMobile } from "../../lib/use-media-query.ts";
import { CsvButton } from "./csv-button.tsx";
import { fullDay } from "./days.ts";
import { Part } from "./part.tsx";
import { useShowAll } from "./show-all.tsx";
import { formatNumber } from "./metric-labels.ts";
import css from "./posts-table.module.css";

const columns = ["title", "views", "widget_opens", "clicks", "mails_sent", "mails_followed"] as const;
type Column = (typeof columns)[number];

const columnLabels: Readonly<Record<Column, string>> = {
  title: "Post",
  views: "Views",
  widget_opens: "Read in widget",
  clicks: "Clicks",
  mails_sent: "Emails sent",
  mails_followed: "Email clicks",
};
const counts = columns.filter((column) => column !== "title");

export function PostsTable({ workspaceId, data }: { workspaceId: string; data: Analytics }) {
  const [sorting, setSorting] = useState<Sorting>({ by: "views", descending: true });
  const posts = useMemo(() => sorted(data.posts, sorting), [data.posts, sorting]);
  const { rows, button } = useShowAll(posts, "posts");
  const isMobile = useIsMobile();
  return (
    <Part title="Posts" tools={posts.length > 0 && <CsvButton workspaceId={workspaceId} table="posts" range={data} title="Posts" />}>
      {(headingId) =>
        posts.length === 0 ? (
          <p className={css.none}>No posts were read or emailed in this period.</p>
        ) : (
          <>
            {isMobile && <SortBy sorting={sorting} onSort={setSorting} />}
            <table className={css.table} aria-labelledby={headingId}>
              <thead>
                <tr>
                  {columns.map((column) => (
                    <Head
                      key={column}
                      column={column}
                      sorting={sorting}
                      onSort={isMobile ? undefined : () => setSorting(nextSorting(sorting, column))}
                    />
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((post) => (
                  <Row key={post.id ?? ""} workspaceId={workspaceId} post={post} />
                ))}
              </tbody>
            </table>
            {button}
          </>
        )
      }
    </Part>
  );
}

/** Phones hide the headers, so SortBy replaces them. */
function Head({ column, sorting, onSort }: { column: Column; sorting: Sorting; onSort: (() => void) | undefined }) {
  const active = sorting.by === column;
  return (
    <th scope="col" aria-sort={active ? (sorting.descending ? "descending" : "ascending") : undefined}>
      {onSort ? (
        <button type="button" className={css.sort} onClick={onSort}>
          {columnLabels[column]}
          <Icon name={active ? (sorting.descending ? "angle-down" : "angle-up") : "sort-alt"} className={css.mark} />
        </button>
      ) : (
        columnLabels[column]
      )}
    </th>
  );
}

function SortBy({ sorting, onSort }: { sorting: Sorting; onSort: (sorting: Sorting) => void }) {
  const id = useId();
  return (
    <div className={css.sortBy}>
      <label htmlFor={id}>Sort by</label>
      <select
        id={id}
        className={css.select}
        value={sorting.by}
        onChange={({ target }) => onSort(nextSorting(sorting, target.value as Column))}
      >
        {columns.map((column) => (
          <option key={column} value={column}>
            {columnLabels[column]}
          </option>
        ))}
      </select>
      <IconButton icon="sort-alt" label="Reverse order" onClick={() => onSort(nextSorting(sorting, sorting.by))} />
    </div>
  );
}

function Row({ workspaceId, post }: { workspaceId: string; post: AnalyticsPost }) {
  return (
    <tr>
      <th scope="row">
        {post.id === null ? (
          <span className={css.gone}>Deleted posts</span>
        ) : (
          <Link to={paths.editPost(workspaceId, post.id)}>{post.title || "Untitled"}</Link>
        )}
        {post.published_at && <span className={css.day}>{fullDay(post.published_at)}</span>}
      </th>
      {counts.map((column) => (
        <td key={column} data-label={columnLabels[column]}>
          {formatNumber(post[column])}
        </td>
      ))}
    </tr>
  );
}

interface Sorting {
  by: Column;
  /** Largest first, or Z to A. */
  descending: boolean;
}

/** Numbers start with the largest, titles with A; repeating reverses. */
const nextSorting = (now: Sorting, by: Column): Sorting =>
  now.by === by ? { by, descending: !now.descending } : { by, descending: by !== "title" };

/** Stable sort; deleted posts last. */
function sorted(posts: readonly AnalyticsPost[], { by, descending }: Sorting): AnalyticsPost[] {
  const compare = by === "title" ? byTitle : (a: AnalyticsPost, b: AnalyticsPost) => a[by] - b[by];
  const sign = descending ? -1 : 1;
  return posts.toSorted((a, b) => Number(a.id === null) - Number(b.id === null) || sign * compare(a, b));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const byTitle = (a: AnalyticsPost, b: AnalyticsPost): number => collator.compare(a.title, b.title);
