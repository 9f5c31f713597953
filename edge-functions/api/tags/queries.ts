import type { Tag } from "#contract/tags.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";

/** The tags a workspace offers, the default ones first. */
export async function listTags(db: Database, workspaceId: string): Promise<Tag[]> {
  return (await rows(db.rpc("list_tags", { workspace_id: workspaceId }))) as Tag[];
}

/** The new tag, or the one that is there already. */
export async function createTag(db: Database, workspaceId: string, { label, colour }: Omit<Tag, "key">): Promise<Tag> {
  return (await rows(db.rpc("create_tag", { workspace_id: workspaceId, label, colour }))) as Tag;
}
