import useSWR, { useSWRConfig } from "swr";
import { postEndpoints, type PostSummary } from "#contract/posts.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { address, type ApiError } from "../../../lib/api-client.ts";
import { readAllPosts } from "./all-posts.ts";

export type Shelf = "all" | "archived";

/** What the dashboard's one call has told already. */
export interface Known {
  posts: readonly PostSummary[];
  /** How many there are; more than `posts` means that the rest has to be read. */
  count: number;
}

/** The posts that the table chooses from, undefined while they are read. A small workspace's came with the dashboard. */
export function useTablePosts(workspaceId: string, shelf: Shelf, known: Known) {
  const complete = shelf === "all" && known.posts.length >= known.count;
  const { data, error, mutate } = useSWR<PostSummary[], ApiError>(
    complete ? null : keyOf(workspaceId, shelf),
    () => readAllPosts(workspaceId, shelf),
    { revalidateOnFocus: false },
  );
  return { posts: complete ? known.posts : data, error, reload: () => mutate() };
}

/** Asks again for everything that tells of a workspace's posts: the table, the lists, the dashboard. */
export function useRefreshPosts(workspaceId: string): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  const posts = address(postEndpoints.list.path, { workspaceId });
  const dashboard = address(workspaceEndpoints.dashboard.path, { workspaceId });
  return () =>
    mutate(
      (key) =>
        typeof key === "string" &&
        (key === dashboard ||
          key.startsWith(posts) ||
          key.startsWith(postEndpoints.upcoming.path) ||
          key.startsWith(`table:${workspaceId}`)),
    );
}

const keyOf = (workspaceId: string, shelf: Shelf): string => `table:${workspaceId}:${shelf}`;
