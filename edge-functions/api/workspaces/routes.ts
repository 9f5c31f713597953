import { managers } from "#contract/kinds.ts";
import { logoMaxBytes } from "#contract/limits.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { removeDiscardedFiles } from "../../_shared/discarded-files.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { requireImage } from "../images/image-file.ts";
import { storeWorkspaceImage } from "../images/queries.ts";
import {
  changeSubdomain,
  createWorkspace,
  deleteWorkspace,
  listWorkspaces,
  readDashboard,
  requireRole,
  setLogo,
  setPublicChangelog,
  subdomainStatus,
  updateWorkspace,
} from "./queries.ts";

export function bindWorkspaces({ signedIn }: Binder): void {
  signedIn(workspaceEndpoints.create, async ({ db, body, idempotencyKey }) => {
    return { workspace: await createWorkspace(db, body, idempotencyKey) };
  });

  signedIn(workspaceEndpoints.list, async ({ db }) => {
    return { workspaces: await listWorkspaces(db) };
  });

  signedIn(workspaceEndpoints.subdomainAvailable, async ({ db, query }) => {
    const status = await subdomainStatus(db, query.subdomain);
    if (status === "invalid") throw new AppError("validation_failed", { fields: { subdomain: "Please choose another subdomain" } });
    return { available: status === "free", reason: status === "free" ? null : status };
  });

  signedIn(workspaceEndpoints.update, async ({ db, params, body }) => {
    return { workspace: await updateWorkspace(db, params.workspaceId, body) };
  });

  signedIn(workspaceEndpoints.changeSubdomain, async ({ db, params, body }) => {
    return { success: true as const, subdomain: await changeSubdomain(db, params.workspaceId, body.subdomain) };
  });

  signedIn(workspaceEndpoints.remove, async ({ db, params, body, env }) => {
    await deleteWorkspace(db, params.workspaceId, body.name);
    await removeDiscardedFiles(env);
    return { success: true as const };
  });

  signedIn(workspaceEndpoints.uploadLogo, async ({ db, params, file, env }) => {
    const image = requireImage(file, logoMaxBytes, "File size must be less than 5MB");
    const url = await storeWorkspaceImage(db, "logos", params.workspaceId, image);
    await setLogo(db, params.workspaceId, url);
    await removeDiscardedFiles(env);
    return { success: true as const, logo_url: url };
  });

  signedIn(workspaceEndpoints.removeLogo, async ({ db, params, env }) => {
    await requireRole(db, params.workspaceId, managers);
    await setLogo(db, params.workspaceId, null);
    await removeDiscardedFiles(env);
    return { success: true as const };
  });

  signedIn(workspaceEndpoints.dashboard, ({ db, params }) => readDashboard(db, params.workspaceId));

  signedIn(workspaceEndpoints.togglePublicChangelog, async ({ db, body }) => {
    await setPublicChangelog(db, body.workspaceId, body.isPublic);
    return { enabled: body.isPublic };
  });

  signedIn(workspaceEndpoints.role, async ({ db, params }) => {
    return { role: await requireRole(db, params.workspaceId) };
  });
}
