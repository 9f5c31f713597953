import { appearanceEndpoints } from "#contract/appearance.ts";
import { appearancePreviewEndpoints } from "#contract/appearance-preview.ts";
import { managers } from "#contract/kinds.ts";
import { logoMaxBytes } from "#contract/limits.ts";
import { removeDiscardedFiles } from "../../_shared/discarded-files.ts";
import type { Binder } from "../../_shared/handle.ts";
import { requireImage } from "../images/image-file.ts";
import { storeWorkspaceImage } from "../images/queries.ts";
import { requireRole } from "../workspaces/queries.ts";
import { appearancePreviewOf } from "./preview.ts";
import { readAppearance, saveAppearance, setPicture } from "./queries.ts";

export function bindAppearance({ signedIn }: Binder): void {
  signedIn(appearanceEndpoints.get, ({ db, params }) => readAppearance(db, params.workspaceId));

  signedIn(appearanceEndpoints.put, ({ db, params, body }) => saveAppearance(db, params.workspaceId, body));

  // Route order: the picture routes would match "preview".
  signedIn(appearancePreviewEndpoints.preview, ({ db, env, params, body }) => appearancePreviewOf(db, env, params.workspaceId, body));

  signedIn(appearanceEndpoints.uploadPicture, async ({ db, params, file, env }) => {
    const image = requireImage(file, logoMaxBytes, "File size must be less than 5MB");
    const url = await storeWorkspaceImage(db, "logos", params.workspaceId, image);
    await setPicture(db, params, url);
    await removeDiscardedFiles(env);
    return { success: true as const, url };
  });

  signedIn(appearanceEndpoints.removePicture, async ({ db, params, env }) => {
    await requireRole(db, params.workspaceId, managers);
    await setPicture(db, params, null);
    await removeDiscardedFiles(env);
    return { success: true as const };
  });
}
