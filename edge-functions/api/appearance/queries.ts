import { type Appearance, type AppearanceChoices, type Look, appearanceOfRow } from "#contract/appearance.ts";
import type { Json } from "#contract/database.ts";
import type { Database } from "../../_shared/clients.ts";
import { AppError } from "../../_shared/errors.ts";
import { rows } from "../result.ts";

export async function findAppearance(db: Database, workspaceId: string): Promise<Look> {
  return appearanceOfRow(
    await rows(db.from("appearances").select("settings, logo_dark_url, favicon_url").eq("workspace_id", workspaceId).maybeSingle()),
  );
}

export async function readAppearance(db: Database, workspaceId: string): Promise<Appearance> {
  const [look, logo_url] = await Promise.all([findAppearance(db, workspaceId), findLogo(db, workspaceId)]);
  return { ...look, logo_url };
}

export async function saveAppearance(db: Database, workspaceId: string, choices: Partial<AppearanceChoices>): Promise<Appearance> {
  const saved = await rows(db.rpc("save_appearance", { workspace_id: workspaceId, settings: choices as unknown as Json }));
  return { ...appearanceOfRow(saved), logo_url: await findLogo(db, workspaceId) };
}

const columns = { "logo-dark": "logo_dark_url", favicon: "favicon_url" } as const;

export async function setPicture(
  db: Database,
  { workspaceId, picture }: { workspaceId: string; picture: keyof typeof columns },
  url: string | null,
): Promise<void> {
  await rows(db.rpc("save_appearance", { workspace_id: workspaceId, pictures: { [columns[picture]]: url } }));
}

async function findLogo(db: Database, workspaceId: string): Promise<string | null> {
  const workspace = await rows(db.from("workspaces").select("logo_url").eq("id", workspaceId).maybeSingle());
  if (workspace === null) throw new AppError("not_found");
  return workspace.logo_url;
}
