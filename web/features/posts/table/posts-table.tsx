import { useEffect } from "react";
import { parseSearch } from "#contract/rules/search-tokens.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import { defaultTags } from "#contract/tags.ts";
import { EmptyState, Failure } from "../../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { useCall } from "../../../lib/use-call.ts";
import { useIsMobile } from "../../../lib/use-media-query.ts";
import { useTablePage } from "./use-table-page.ts";
import { useBulk } from "./use-bulk.ts";
import { useSelection } from "./use-selection.ts";
import { defaultSort } from "./table-query.ts";
import { useTableAddress } from "./use-table-address.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { Pager } from "./pager.tsx";
import { PostRow } from "./post-row.tsx";
import { TableFilters } from "./table-filters.tsx";
import { Row, Stack } from "../../../ui/layout.tsx";
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
  const address = useTableAddress();
  const usualSort = defaultSort(isCounted);
  const { list, error, stale, reload } = useTablePage(workspaceId, address.written, usualSort);
  const archived = parseSearch(address.written.search).status === "archived";
  const { data: tagAnswer } = useCall(tagEndpoints.list, { params: { workspaceId } }, { revalidateOnFocus: false });
  const tags = tagAnswer?.tags ?? defaultTags;
  const bulk = useBulk(workspaceId);
  const rows = list?.posts.filter(({ id }) => !bulk.removed.has(id)) ?? [];
  const selection = useSelection(rows, JSON.stringify([workspaceId, address.written]));
  const shownPage = stale ? undefined : list?.pagination.page;
  useEffect(() => {
    if (shownPage !== undefined && shownPage !== address.written.page) address.correct(shownPage);
  });

  const now = new Date();
  const mobile = useIsMobile();
  const all = canWrite && (
    <input type="checkbox" checked={selection.all} onChange={selection.toggleAll} aria-label="Select all on this page" />
  );

  return (
    <>
      <TableFilters address={address} creators={creators} usualSort={usualSort} />
      {selection.selected.length > 0 && !stale && (
        <BulkBar selected={selection.selected} archived={archived} tags={tags} bulk={bulk} onDone={selection.clear} />
      )}
      {error ? (
        <Failure title="Couldn't load posts" text={error.message} onRetry={() => void reload()} />
      ) : !list ? (
        <Waiting />
      ) : list.pagination.total === 0 ? (
        <EmptyState drawing="search" level={3} title="No posts found" text="Try adjusting your search or filters" />
      ) : (
        <>
          {mobile && all && (
            <Row as="label" gap={0} className={css.selectAll}>
              <span className={css.checkbox}>{all}</span>
              Select all
            </Row>
          )}
          <table className={css.table} aria-labelledby={labelledBy} aria-busy={stale}>
            <thead>
              <tr>
                <th scope="col">
                  {!mobile && all && <label className={css.checkbox}>{all}</label>}
                  CHANGELOG POST
                </th>
                <th scope="col">STATUS</th>
                <th scope="col">CREATOR</th>
                <th scope="col">LAST ACTIVITY</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((post) => (
                <PostRow
                  key={post.id}
                  post={post}
                  tags={tags}
                  now={now}
                  selected={canWrite ? selection.has(post.id) : undefined}
                  leaving={bulk.leaving.has(post.id)}
                  onToggle={() => selection.toggle(post.id)}
                />
              ))}
            </tbody>
          </table>
          <Pager {...list.pagination} size={address.query.size} onPage={address.goTo} onSize={address.setSize} />
        </>
      )}
    </>
  );
}

const Waiting = () => (
  <Loading label="Loading posts...">
    <Stack gap={3} className={css.waiting}>
      {[1, 2, 3, 4, 5].map((row) => (
        <Skeleton key={row} height="3rem" />
      ))}
    </Stack>
  </Loading>
);
