import type { Workspace } from "#contract/workspaces.ts";
import { useWorkspaces } from "./use-workspaces.ts";

/** One of the person's workspaces; undefined while loading, null when it is not among them. */
export function useWorkspace(id: string): Workspace | null | undefined {
  const { data } = useWorkspaces();
  return data && (data.workspaces.find((workspace) => workspace.id === id) ?? null);
}
