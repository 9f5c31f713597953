import type { Tag } from "#contract/tags.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";

/** The tags a workspace offers, the default ones first. */
export function listTags(db: Database, workspaceId: string): Promise<Tag[]> {
  return rows<Tag[]>(db.rpc("list_tags", { workspace_id: workspaceId }));
}

/** The new tag, or the one that is there already. */
export function createTag(db: Database, workspaceId: string, { label, colour }: Omit<Tag, "key">): Promise<Tag> {
  return rows<Tag>(db.rpc("create_tag", { workspace_id: workspaceId, label, colour }));
}
