import type { Database } from "../../_shared/clients.ts";
import { seenByMembers } from "../../releases/queries/releases.ts";
import { rows } from "../result.ts";
import { findOwnHost } from "../workspaces/queries.ts";
import { findAppearance } from "./queries.ts";

export async function findPublicWorkspace(db: Database, id: string, canMail: boolean) {
  const [workspace, widget, mail, look, domain] = await Promise.all([
    rows(db.from("workspaces").select("id, name, subdomain, origin, logo_url, allowed_origins").eq("id", id).single()),
    rows(db.from("widget_settings").select("settings").eq("workspace_id", id).maybeSingle()),
    rows(db.from("mail_settings").select("enabled").eq("workspace_id", id).maybeSingle()),
    findAppearance(db, id),
    findOwnHost(db, id),
  ]);
  const mails = canMail && mail?.enabled === true;
  return { ...workspace, settings: widget?.settings ?? {}, version_tag: "", mails, appearance: look, domain, ...seenByMembers(workspace) };
}
