import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { type ApiKey, apiKeyEndpoints, thisKeyEndpoints } from "#contract/api-keys.ts";
import type { AnswerOf } from "#contract/database.ts";
import { hashOfApiKey, makeApiKey, partsOfApiKey } from "#contract/rules/api-key.ts";
import type { Database } from "../_shared/clients.ts";
import type { Binder } from "../_shared/handle.ts";
import { originOf } from "../_shared/public-origin.ts";
import { readPlace } from "./public-place.ts";
import { json, rows } from "./result.ts";

export function bindKeys({ signedIn, withKey }: Binder): void {
  signedIn(apiKeyEndpoints.list, async ({ db, params }) => {
    return { keys: (await rows(db.rpc("list_api_keys", { workspace_id: params.workspaceId }))).map(presentKey) };
  });

  signedIn(apiKeyEndpoints.create, async ({ db, params, body: { name, scopes, expires_at = null } }) => {
    const { secret, ...parts } = await newSecret();
    const row = await rows(db.rpc("create_api_key", { workspace_id: params.workspaceId, name, scopes, expires_at, ...parts }));
    return { key: presentKey(row), secret };
  });

  signedIn(apiKeyEndpoints.rotate, async ({ db, params }) => {
    const { secret, ...parts } = await newSecret();
    const rotated = await rows(db.rpc("rotate_api_key", { workspace_id: params.workspaceId, key_id: params.id, ...parts }));
    return { key: presentKey(rotated), secret };
  });

  signedIn(apiKeyEndpoints.revoke, async ({ db, params }) => {
    await revokeKey(db, params.workspaceId, params.id);
    return { success: true as const };
  });

  withKey(thisKeyEndpoints.read, async ({ db, env }) => {
    const { key, workspace } = await json<ThisKey>(db.rpc("my_key"));
    const place = await readPlace(db, workspace.id);
    return { key, workspace: { ...workspace, url: originOf(env.publicUrl, place) } };
  });
}

interface ThisKey {
  key: Pick<ApiKey, "id" | "name" | "scopes" | "start" | "last4" | "created_at" | "expires_at">;
  workspace: { id: string; name: string; subdomain: string };
}

/** The secret is returned once; the database stores only its hash. */
async function newSecret(): Promise<{ secret: string; secret_hash: string; start: string; last4: string }> {
  const secret = makeApiKey();
  return { secret, secret_hash: await hashOfApiKey(secret), ...partsOfApiKey(secret) };
}

const presentKey = ({ scopes, state, ...key }: AnswerOf<"create_api_key">): ApiKey => ({
  ...key,
  scopes: scopes as ApiKeyScope[],
  state: state as ApiKey["state"],
});

async function revokeKey(db: Database, workspaceId: string, id: string): Promise<void> {
  await rows(db.rpc("revoke_api_key", { workspace_id: workspaceId, key_id: id }));
}
