import { useMemo, useState } from "react";
import { Link } from "react-router-dom";
import type { Analytics, AnalyticsPost } from "#contract/analytics.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Note, Text } from "../../ui/layout.tsx";
import { paths } from "../../lib/paths.ts";
import { CsvButton } from "./csv-button.tsx";
import { fullDay } from "./days.ts";
import { Part } from "./part.tsx";
import { useShowAll } from "./show-all.tsx";
import { formatNumber } from "./metric-labels.ts";

const countColumns = ["views", "widget_opens", "clicks", "mails_sent", "mails_followed"] as const;
type SortKey = "title" | (typeof countColumns)[number];

const labels: Readonly<Record<SortKey, string>> = {
  title: "Post",
  views: "Views",
  widget_opens: "Read in widget",
  clicks: "Clicks",
  mails_sent: "Emails sent",
  mails_followed: "Email clicks",
};

export function PostsTable({ workspaceId, data }: { workspaceId: string; data: Analytics }) {
  const [sorting, setSorting] = useState<Sorting>({ by: "views", descending: true });
  const posts = useMemo(() => sorted(data.posts, sorting), [data.posts, sorting]);
  const { rows, button } = useShowAll(posts, "posts");
  const columns: Column<AnalyticsPost>[] = [
    { key: "title", header: labels.title, cell: (post) => <PostName workspaceId={workspaceId} post={post} />, isRowHeader: true },
    ...countColumns.map((key) => ({
      key,
      header: labels[key],
      cell: (post: AnalyticsPost) => formatNumber(post[key]),
      style: "number" as const,
      card: "labelled" as const,
    })),
  ];
  return (
    <Part title="Posts" tools={posts.length > 0 && <CsvButton workspaceId={workspaceId} table="posts" range={data} title="Posts" />}>
      <DataTable
        aria-label="Posts"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id ?? ""}
        sort={{ ...sorting, onSort: (key) => setSorting(nextSorting(sorting, key as SortKey)) }}
        empty={<Text tone="muted">No posts were read or emailed in this period.</Text>}
      />
      {button}
    </Part>
  );
}

function PostName({ workspaceId, post }: { workspaceId: string; post: AnalyticsPost }) {
  return (
    <>
      {post.id === null ? (
        <Text as="span" tone="muted">
          Deleted posts
        </Text>
      ) : (
        <Link to={paths.editPost(workspaceId, post.id)}>{post.title || "Untitled"}</Link>
      )}
      {post.published_at && <Note>{fullDay(post.published_at)}</Note>}
    </>
  );
}

interface Sorting {
  by: SortKey;
  /** Largest first, or Z to A. */
  descending: boolean;
}

/** Numbers start with the largest, titles with A; repeating reverses. */
const nextSorting = (now: Sorting, by: SortKey): Sorting =>
  now.by === by ? { by, descending: !now.descending } : { by, descending: by !== "title" };

/** Stable sort; deleted posts last. */
function sorted(posts: readonly AnalyticsPost[], { by, descending }: Sorting): AnalyticsPost[] {
  const compare = by === "title" ? byTitle : (a: AnalyticsPost, b: AnalyticsPost) => a[by] - b[by];
  const sign = descending ? -1 : 1;
  return posts.toSorted((a, b) => Number(a.id === null) - Number(b.id === null) || sign * compare(a, b));
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const byTitle = (a: AnalyticsPost, b: AnalyticsPost): number => collator.compare(a.title, b.title);
