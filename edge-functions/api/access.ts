import type { z } from "zod";
import { accessEndpoints, type WorkspaceAccess, type workspaceAccessInput } from "#contract/access.ts";
import { v1AccessEndpoints } from "#contract/v1/access.ts";
import { readerLinkPath } from "#contract/rules/reader-access.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { originOf } from "../_shared/public-origin.ts";
import { readPlace } from "./public-place.ts";
import { rows } from "./result.ts";

export function bindAccess({ signedIn, withKey }: Binder): void {
  signedIn(accessEndpoints.read, ({ db, env, params }) => read(db, env.publicUrl, params.workspaceId));
  withKey(v1AccessEndpoints.read, ({ db, env, key }) => read(db, env.publicUrl, key.workspaceId));

  signedIn(accessEndpoints.save, ({ db, env, params, body }) => save(db, env.publicUrl, params.workspaceId, body));
  withKey(v1AccessEndpoints.save, ({ db, env, key, body }) => save(db, env.publicUrl, key.workspaceId, body));

  signedIn(accessEndpoints.enter, async ({ db, env, params }) => {
    const key = await rows<string>(db.rpc("my_reader_key", { workspace_id: params.workspaceId }));
    return { url: await linkOf(db, env.publicUrl, params.workspaceId, key) };
  });
}

async function read(db: Database, publicUrl: string, workspaceId: string): Promise<WorkspaceAccess> {
  const { key, ...access } = await rows(db.rpc("read_workspace_access", { workspace_id: workspaceId }));
  return { ...access, link: key === null ? null : await linkOf(db, publicUrl, workspaceId, key) } as WorkspaceAccess;
}

async function save(db: Database, publicUrl: string, workspaceId: string, { password, ...body }: z.output<typeof workspaceAccessInput>) {
  await rows(db.rpc("set_workspace_access", { workspace_id: workspaceId, ...body, ...(password !== undefined && { password }) }));
  return await read(db, publicUrl, workspaceId);
}

const linkOf = async (db: Database, publicUrl: string, workspaceId: string, key: string): Promise<string> =>
  originOf(publicUrl, await readPlace(db, workspaceId)) + readerLinkPath(key);
