import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { askToDraw } from "../../_shared/link-pictures.ts";
import { readAppearance } from "../appearance/queries.ts";
import { rows } from "../result.ts";

/** What a link to a post of this title would show, in its workspace's look. Read as the person who asks; drawn by the function that draws. */
export async function pictureOf(
  db: Database,
  env: Env,
  workspaceId: string,
  { title, published_at }: { title: string; published_at?: string | undefined },
): Promise<ArrayBuffer> {
  const [{ logo_url, logo_dark_url, ...appearance }, { name }] = await Promise.all([
    readAppearance(db, workspaceId),
    rows(db.from("workspaces").select("name").eq("id", workspaceId).single()),
  ]);
  const answer = await askToDraw(env, "preview", {
    ...{ workspace_name: name, logo_url, logo_dark_url, appearance },
    ...{ title: title || "Untitled", published_at: published_at ?? new Date().toISOString() },
  }).catch(() => null);
  if (answer?.ok) return await answer.arrayBuffer();
  await answer?.body?.cancel();
  throw new AppError("unavailable");
}
