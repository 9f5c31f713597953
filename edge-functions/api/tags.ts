import { tagEndpoints } from "#contract/tag-endpoints.ts";
import type { Tag } from "#contract/tags.ts";
import type { Binder } from "../_shared/handle.ts";
import type { Database } from "../_shared/clients.ts";
import { rows } from "./result.ts";

export function bindTags({ signedIn }: Binder): void {
  signedIn(tagEndpoints.list, async ({ db, params }) => {
    return { tags: await listTags(db, params.workspaceId) };
  });

  signedIn(tagEndpoints.create, async ({ db, params, body }) => {
    return { tag: await createTag(db, params.workspaceId, body) };
  });
}

/** The tags a workspace offers, the default ones first. */
async function listTags(db: Database, workspaceId: string): Promise<Tag[]> {
  return (await rows(db.rpc("list_tags", { workspace_id: workspaceId }))) as Tag[];
}

/** The new tag, or the one that is there already. */
async function createTag(db: Database, workspaceId: string, { label, colour }: Omit<Tag, "key">): Promise<Tag> {
  return (await rows(db.rpc("create_tag", { workspace_id: workspaceId, label, colour }))) as Tag;
}
