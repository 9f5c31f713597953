import type { Workspace } from "#contract/workspaces.ts";
import type { WorkspaceRow } from "./queries.ts";
import { iso } from "../time.ts";

export function presentWorkspace(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    subdomain: row.subdomain,
    origin: row.origin,
    allowed_origins: row.allowed_origins,
    logo_url: row.logo_url,
    public_changelog_enabled: row.public_changelog_enabled,
    role: row.role,
    created_at: iso(row.created_at),
  };
}
