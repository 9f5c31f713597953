import { type Look, lookOf } from "#contract/appearance.ts";
import type { Database } from "../../_shared/clients.ts";
import { rows } from "../result.ts";

/** A workspace's look, with the defaults for what was never chosen; they also answer for a workspace that the caller may not see. */
export async function findAppearance(db: Database, workspaceId: string): Promise<Look> {
  return lookOf(
    await rows(db.from("appearances").select("settings, logo_dark_url, favicon_url").eq("workspace_id", workspaceId).maybeSingle()),
  );
}
