import type { CreateWorkspaceInput, Dashboard, UpdateWorkspaceInput, Workspace } from "#contract/workspaces.ts";
import type { Database as Schema } from "#contract/database.ts";
import type { Role } from "#contract/kinds.ts";
import type { Database } from "../../_shared/clients.ts";
import { AppError } from "../../_shared/errors.ts";
import { json, rows } from "../result.ts";

type WorkspaceRow = Omit<Schema["public"]["CompositeTypes"]["my_workspace"], "suspension"> & Pick<Workspace, "suspension">;

export async function createWorkspace(
  db: Database,
  { name, subdomain, origin, jobTitle }: CreateWorkspaceInput,
  idempotencyKey: string | null,
): Promise<WorkspaceRow> {
  const call = { name, subdomain, origin, job_title: jobTitle, idempotency_key: idempotencyKey };
  return (await rows(db.rpc("create_workspace", call))) as WorkspaceRow;
}

export async function updateWorkspace(db: Database, id: string, changes: UpdateWorkspaceInput): Promise<NamedWorkspace> {
  const changed = (await rows(db.rpc("change_workspace", { workspace_id: id, changes }))) as WorkspaceRow;
  return withDomain(changed, await findOwnHost(db, id));
}

export function changeSubdomain(db: Database, id: string, subdomain: string): Promise<string> {
  return rows(db.rpc("change_subdomain", { workspace_id: id, subdomain }));
}

export function deleteWorkspace(db: Database, id: string, name: string): Promise<null> {
  return rows(db.rpc("delete_workspace", { workspace_id: id, name }));
}

export async function listWorkspaces(db: Database): Promise<NamedWorkspace[]> {
  const [workspaces, led] = await Promise.all([rows(db.rpc("my_workspaces")), rows(db.rpc("own_hosts", {}))]);
  const hosts = new Map(led.map(({ workspace_id, host }) => [workspace_id, host]));
  return (workspaces as WorkspaceRow[]).map((workspace) => withDomain(workspace, hosts.get(workspace.id) ?? null));
}

export type NamedWorkspace = WorkspaceRow & { domain?: string };

const withDomain = (workspace: WorkspaceRow, domain: string | null): NamedWorkspace =>
  domain === null ? workspace : { ...workspace, domain };

type SubdomainStatus = "free" | "subdomain_taken" | "subdomain_reserved" | "invalid";

export async function subdomainStatus(db: Database, subdomain: string): Promise<SubdomainStatus> {
  return (await rows(db.rpc("subdomain_status", { subdomain }))) as SubdomainStatus;
}

/** Throws not_found for non-members, forbidden for roles not in `allowed`. */
export async function requireRole(db: Database, workspaceId: string, allowed?: readonly Role[]): Promise<Role> {
  const role = (await rows(db.rpc("workspace_role", { workspace_id: workspaceId }))) as Role | null;
  if (role === null) throw new AppError("not_found");
  if (allowed && !allowed.includes(role)) throw new AppError("forbidden");
  return role;
}

export async function findSubdomain(db: Database, workspaceId: string): Promise<string> {
  return (await rows(db.from("workspaces").select("subdomain").eq("id", workspaceId).single())).subdomain;
}

export async function findOwnHost(db: Database, workspaceId: string): Promise<string | null> {
  const [led] = await rows(db.rpc("own_hosts", { workspace_ids: [workspaceId] }));
  return led?.host ?? null;
}

export function readDashboard(db: Database, workspaceId: string): Promise<Dashboard> {
  return json(db.rpc("dashboard", { workspace_id: workspaceId }));
}

export async function setPublicChangelog(db: Database, workspaceId: string, enabled: boolean): Promise<void> {
  await rows(db.rpc("change_workspace", { workspace_id: workspaceId, changes: { public_changelog_enabled: enabled } }));
}

export async function setLogo(db: Database, workspaceId: string, url: string | null): Promise<void> {
  await rows(db.rpc("change_workspace", { workspace_id: workspaceId, changes: { logo_url: url } }));
}
