import { createContext, use } from "react";
import type { Role } from "#contract/kinds.ts";
import type { Workspace } from "#contract/workspaces.ts";

export interface CurrentWorkspace {
  workspace: Workspace;
  /** Null if it couldn't load; the server still checks. */
  role: Role | null;
  /** Owner, admin or editor (product decision 2); false while unknown. */
  canWrite: boolean;
}

export const CurrentWorkspaceContext = createContext<CurrentWorkspace | null>(null);

/** Only inside the workspace layout. */
export function useCurrentWorkspace(): CurrentWorkspace {
  const current = use(CurrentWorkspaceContext);
  if (!current) throw new Error("useCurrentWorkspace is used outside the workspace layout");
  return current;
}
