import { useSWRConfig } from "swr";
import { fullNameMaxLength, searchTermMaxLength } from "#contract/limits.ts";
import { postEndpoints } from "#contract/posts.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { parseSearch, type PostSort } from "#contract/rules/search-tokens.ts";
import { address } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import type { TableQuery } from "./table-query.ts";

/**
 * One screen of the table in one call; the server finds, sorts and pages. The rows of the last screen stay (`stale`) until the next are
 * there. A page behind the last one is answered by the last one. Source: specification, section 5.
 */
export function useTablePage(workspaceId: string, query: TableQuery, usualSort: PostSort) {
  const { cache } = useSWRConfig();
  const asked = ask(workspaceId, query, usualSort);
  const wanted = useCall(postEndpoints.list, asked, calmly);
  const last = wanted.data && wanted.data.pagination.page > wanted.data.pagination.pages ? wanted.data.pagination.pages : null;
  const lastAsked = last === null ? null : ask(workspaceId, { ...query, page: last }, usualSort);
  const clamped = useCall(postEndpoints.list, lastAsked, calmly);
  const { data, error, isLoading, mutate } = lastAsked ? clamped : wanted;
  const { params, query: asking } = lastAsked ?? asked;
  const arrived = cache.get(address(postEndpoints.list.path, params, asking))?.data !== undefined;
  // isLoading as well: SWR tells of an end of loading, but not of data that equal those shown.
  return { list: data, error: arrived ? undefined : error, stale: isLoading || !arrived, reload: () => mutate() };
}

const calmly = { revalidateOnFocus: false, keepPreviousData: true };

function ask(workspaceId: string, { search, page, size }: TableQuery, usualSort: PostSort) {
  const { text, status = "any", owner, sort = usualSort } = parseSearch(search);
  return {
    params: { workspaceId },
    query: {
      page,
      limit: size,
      status: status === "any" ? ("all" as const) : status,
      q: text === "" ? undefined : text.slice(0, searchTermMaxLength),
      owner: owner?.slice(0, fullNameMaxLength),
      sort,
    },
  };
}

/** Asks again for everything that tells of a workspace's posts: the table, the lists, the dashboard. */
export function useRefreshPosts(workspaceId: string): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  const posts = address(postEndpoints.list.path, { workspaceId });
  const dashboard = address(workspaceEndpoints.dashboard.path, { workspaceId });
  return () =>
    mutate((key) => typeof key === "string" && (key === dashboard || key.startsWith(posts) || key.startsWith(postEndpoints.upcoming.path)));
}
