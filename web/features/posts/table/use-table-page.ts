import { useSWRConfig } from "swr";
import { fullNameMaxLength, searchTermMaxLength } from "#contract/limits.ts";
import { postEndpoints } from "#contract/posts.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { parseSearch, type PostSort } from "#contract/rules/search-tokens.ts";
import { address } from "../../../lib/api-client.ts";
import { useCall } from "../../../lib/use-call.ts";
import type { TableQuery } from "./table-query.ts";

/** A page of the table. Keeps the previous rows (`stale`) while loading. A page beyond the last shows the last. Source: specification, section 5. */
export function useTablePage(workspaceId: string, query: TableQuery, usualSort: PostSort) {
  const { cache } = useSWRConfig();
  const request = requestFor(workspaceId, query, usualSort);
  const requested = useCall(postEndpoints.list, request, options);
  const last = requested.data && requested.data.pagination.page > requested.data.pagination.pages ? requested.data.pagination.pages : null;
  const lastRequest = last === null ? null : requestFor(workspaceId, { ...query, page: last }, usualSort);
  const clamped = useCall(postEndpoints.list, lastRequest, options);
  const { data, error, isLoading, mutate } = lastRequest ? clamped : requested;
  const { params, query: requestQuery } = lastRequest ?? request;
  const isLoaded = cache.get(address(postEndpoints.list.path, params, requestQuery))?.data !== undefined;
  // isLoading as well: SWR reports the end of loading, but not data equal to the shown data.
  return { list: data, error: isLoaded ? undefined : error, stale: isLoading || !isLoaded, reload: () => mutate() };
}

const options = { revalidateOnFocus: false, keepPreviousData: true };

function requestFor(workspaceId: string, { search, page, size }: TableQuery, usualSort: PostSort) {
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

export function useRefreshPosts(workspaceId: string): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  const posts = address(postEndpoints.list.path, { workspaceId });
  const dashboard = address(workspaceEndpoints.dashboard.path, { workspaceId });
  return () =>
    mutate((key) => typeof key === "string" && (key === dashboard || key.startsWith(posts) || key.startsWith(postEndpoints.upcoming.path)));
}
