import { type ComponentProps, type MouseEvent, useEffect } from "react";
import { Link, useNavigate } from "react-router-dom";
import type { PostStatus } from "#contract/kinds.ts";
import type { ListedPost } from "#contract/posts.ts";
import { creatorName } from "#contract/rules/creator-name.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { parseSearch } from "#contract/rules/search-tokens.ts";
import { tagSummary } from "#contract/rules/tag-summary.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags, type Tag, tagOf } from "#contract/tags.ts";
import { type Column, DataTable } from "../../../ui/data-table.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Note, Text } from "../../../ui/layout.tsx";
import { StatusLabel } from "../../../ui/status-label.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { moment } from "../../../lib/moment.ts";
import { paths } from "../../../lib/paths.ts";
import { useCall } from "../../../lib/use-call.ts";
import { useIsMobile } from "../../../lib/use-media-query.ts";
import { useTablePage } from "./use-table-page.ts";
import { useBulk } from "./use-bulk.ts";
import { useSelection } from "./use-selection.ts";
import { defaultSort } from "./table-query.ts";
import { useTableAddress } from "./use-table-address.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { Pager } from "./pager.tsx";
import { PostFilters } from "./post-filters.tsx";
import css from "./table.module.css";

interface PostsTableProps {
  workspaceId: string;
  labelledBy: string;
  canWrite: boolean;
  creators: readonly string[];
  isCounted: boolean;
}

/** All posts of a workspace with filters, sorting, pages and bulk actions. Source: specification, sections 2, 5 and 9. */
export function PostsTable({ workspaceId, labelledBy, canWrite, creators, isCounted }: PostsTableProps) {
  const navigate = useNavigate();
  const mobile = useIsMobile();
  const address = useTableAddress();
  const usualSort = defaultSort(isCounted);
  const { list, error, stale, reload } = useTablePage(workspaceId, address.written, usualSort);
  const archived = parseSearch(address.written.search).status === "archived";
  const { data: tagAnswer } = useCall(tagEndpoints.list, { params: { workspaceId } }, { revalidateOnFocus: false });
  const tags = tagAnswer?.tags ?? defaultTags;
  const bulk = useBulk(workspaceId);
  const rows = list?.posts.filter(({ id }) => !bulk.removed.has(id));
  const selection = useSelection(rows ?? [], JSON.stringify([workspaceId, address.written]));
  const shownPage = stale ? undefined : list?.pagination.page;
  useEffect(() => {
    if (shownPage !== undefined && shownPage !== address.written.page) address.correct(shownPage);
  });

  return (
    <>
      <PostFilters address={address} creators={creators} usualSort={usualSort} />
      {selection.selected.length > 0 && !stale && (
        <BulkBar selected={selection.selected} archived={archived} tags={tags} bulk={bulk} onDone={selection.clear} />
      )}
      <DataTable
        aria-labelledby={labelledBy}
        className={css.table}
        columns={columnsOf(tags, new Date(), mobile)}
        rows={rows}
        rowKey={({ id }) => id}
        row={(post) => ({
          className: classNames(selection.has(post.id) && css.selected, bulk.leaving.has(post.id) && css.leaving),
          onClick: ({ target }: MouseEvent) => !(target as Element).closest("a, label") && void navigate(pathOf(post)),
        })}
        load={{ noun: "posts", error, onRetry: () => void reload(), stale }}
        empty={
          list?.pagination.total === 0 && (
            <EmptyState drawing="search" level={3} title="No posts found" text="Try adjusting your search or filters" />
          )
        }
        selection={
          canWrite
            ? {
                label: ({ title }) => `Select ${title || "Untitled"}`,
                has: ({ id }) => selection.has(id),
                set: ({ id }) => selection.toggle(id),
                all: { label: "Select all on this page", checked: selection.all, onToggle: selection.toggleAll },
              }
            : undefined
        }
      />
      {list && list.pagination.total > 0 && (
        <Pager {...list.pagination} size={address.query.size} onPage={address.goTo} onSize={address.setSize} />
      )}
    </>
  );
}

const pathOf = ({ workspace_id, id }: ListedPost): string => paths.editPost(workspace_id, id);

const columnsOf = (tags: readonly Tag[], now: Date, mobile: boolean): Column<ListedPost>[] => [
  {
    header: "CHANGELOG POST",
    card: "title",
    cell: (post) => (
      <>
        <Text as={Link} to={pathOf(post)} lines={mobile ? 3 : 1}>
          {post.title || "Untitled"}
        </Text>
        <Text size="small" tone="muted" truncate>
          <strong>{tagSummary(post.tags.map((key) => tagOf(key, tags).label))}</strong> {post.excerpt}
        </Text>
      </>
    ),
  },
  { header: "STATUS", cell: (post) => <StatusLabel {...statusLabels[statusAt(post, now)]} />, width: "8rem" },
  {
    header: "CREATOR",
    cell: (post) => (
      <Text as="span" lines={1}>
        {creatorName(post)}
      </Text>
    ),
    width: "11rem",
  },
  {
    header: "LAST ACTIVITY",
    cell: ({ updated_at, views }) => (
      <>
        <time dateTime={updated_at} title={moment(updated_at)}>
          {relativeTime(updated_at, now)}
        </time>
        {typeof views === "number" && (
          <Note title="Views of the last 30 days">
            {views.toLocaleString()} {views === 1 ? "view" : "views"}
          </Note>
        )}
      </>
    ),
    width: "9rem",
    style: "small",
  },
];

const statusLabels: Readonly<Record<PostStatus, ComponentProps<typeof StatusLabel>>> = {
  published: { label: "Published", icon: "check-circle", tone: "ok" },
  scheduled: { label: "Scheduled", icon: "clock", tone: "warn" },
  draft: { label: "Draft", icon: "file-edit", tone: "muted" },
  archived: { label: "Archived", icon: "inbox", tone: "muted" },
};
