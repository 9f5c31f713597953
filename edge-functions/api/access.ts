import { accessEndpoints, type WorkspaceAccess } from "#contract/access.ts";
import { readerLinkPath } from "#contract/rules/reader-access.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { originOf } from "../_shared/public-origin.ts";
import { readPlace } from "./public-place.ts";
import { rows } from "./result.ts";

export function bindAccess({ signedIn }: Binder): void {
  signedIn(accessEndpoints.read, ({ db, env, params }) => read(db, env.publicUrl, params.workspaceId));

  signedIn(accessEndpoints.save, async ({ db, env, params, body: { password, ...body } }) => {
    const args = { workspace_id: params.workspaceId, ...body, ...(password !== undefined && { password }) };
    await rows(db.rpc("set_workspace_access", args));
    return await read(db, env.publicUrl, params.workspaceId);
  });

  signedIn(accessEndpoints.enter, async ({ db, env, params }) => {
    const key = await rows<string>(db.rpc("my_reader_key", { workspace_id: params.workspaceId }));
    return { url: await linkOf(db, env.publicUrl, params.workspaceId, key) };
  });
}

async function read(db: Database, publicUrl: string, workspaceId: string): Promise<WorkspaceAccess> {
  const { key, ...access } = await rows(db.rpc("read_workspace_access", { workspace_id: workspaceId }));
  return { ...access, link: key === null ? null : await linkOf(db, publicUrl, workspaceId, key) } as WorkspaceAccess;
}

const linkOf = async (db: Database, publicUrl: string, workspaceId: string, key: string): Promise<string> =>
  originOf(publicUrl, await readPlace(db, workspaceId)) + readerLinkPath(key);
