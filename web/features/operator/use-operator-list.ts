import { useSWRConfig } from "swr";
import { searchTermMaxLength } from "#contract/limits.ts";
import { useViewAddress, withParams, type ListView } from "../../lib/use-view-address.ts";

/** How a list's search and page stand in the address, under names of its own: two lists share the page. */
const addressForm = (search: string, page: string) => ({
  read: (address: URLSearchParams): ListView => ({
    search: (address.get(search) ?? "").slice(0, searchTermMaxLength),
    page: Math.max(1, Math.trunc(Number(address.get(page))) || 1),
  }),
  write: (view: ListView, address: URLSearchParams): URLSearchParams =>
    withParams(address, { [search]: view.search.trim() || undefined, [page]: view.page > 1 ? String(view.page) : undefined }),
});

const workspaceForm = addressForm("workspace", "page");
const personForm = addressForm("person", "people");

export const useWorkspaceView = () => useViewAddress(workspaceForm);
export const usePersonView = () => useViewAddress(personForm);
export type OperatorListView = ReturnType<typeof useWorkspaceView>;

/** Reads everything on the operator's page again. */
export function useRefresh(): () => Promise<unknown> {
  const { mutate } = useSWRConfig();
  return () => mutate((key) => typeof key === "string" && key.startsWith("/api/operator"));
}
