import { v1ExportEndpoints } from "#contract/v1/exports.ts";
import type { Binder } from "../../_shared/handle.ts";
import { exportPosts } from "../exports/export-posts.ts";

export function bindV1Exports({ fileForKey }: Binder): void {
  fileForKey(v1ExportEndpoints.posts, ({ db, env, key, query: { format } }) => exportPosts(env, db, key.workspaceId, format));
}
