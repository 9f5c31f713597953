import { createContext, use } from "react";
import type { Role } from "#contract/kinds.ts";
import type { Workspace } from "#contract/workspaces.ts";

export interface CurrentWorkspace {
  workspace: Workspace;
  /** Null when it could not be read; the server still decides. */
  role: Role | null;
  /** Owner, admin, editor: may create and change posts (product decision 2). False while the role is unknown or the workspace suspended. */
  canWrite: boolean;
}

export const CurrentWorkspaceContext = createContext<CurrentWorkspace | null>(null);

/** The workspace whose pages are shown; only inside the workspace layout. */
export function useCurrentWorkspace(): CurrentWorkspace {
  const current = use(CurrentWorkspaceContext);
  if (!current) throw new Error("useCurrentWorkspace is used outside the workspace layout");
  return current;
}
