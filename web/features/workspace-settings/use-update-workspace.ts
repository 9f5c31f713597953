import { useSWRConfig } from "swr";
import { workspaceEndpoints, type UpdateWorkspaceInput, type Workspace } from "#contract/workspaces.ts";
import { call } from "../../lib/api-client.ts";

/** Updates the cached list too. Throws ApiError; owners and admins only. */
export function useUpdateWorkspace(workspaceId: string) {
  const { mutate } = useSWRConfig();
  const updateCache = (changes: Partial<Workspace>) =>
    mutate<{ workspaces: Workspace[] }>(
      workspaceEndpoints.list.path,
      (list) => list && { workspaces: list.workspaces.map((one) => (one.id === workspaceId ? { ...one, ...changes } : one)) },
      { revalidate: false },
    );
  return {
    async update(changes: UpdateWorkspaceInput): Promise<void> {
      await updateCache((await call(workspaceEndpoints.update, { params: { workspaceId }, body: changes })).workspace);
    },
    async changeSubdomain(wanted: string): Promise<void> {
      const { subdomain } = await call(workspaceEndpoints.changeSubdomain, { params: { workspaceId }, body: { subdomain: wanted } });
      await updateCache({ subdomain });
    },
    async uploadLogo(file: File): Promise<void> {
      const { logo_url } = await call(workspaceEndpoints.uploadLogo, { params: { workspaceId }, file });
      await updateCache({ logo_url });
    },
    async removeLogo(): Promise<void> {
      await call(workspaceEndpoints.removeLogo, { params: { workspaceId } });
      await updateCache({ logo_url: null });
    },
  };
}
