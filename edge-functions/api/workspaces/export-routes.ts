import { exportEndpoints } from "#contract/workspace-export.ts";
import type { Binder } from "../../_shared/handle.ts";
import { exportWorkspace } from "./export-queries.ts";
import { findSubdomain } from "./queries.ts";

export function bindExport({ file }: Binder): void {
  file(exportEndpoints.workspace, async ({ db, env, user, params }) => {
    const subdomain = await findSubdomain(db, params.workspaceId);
    const day = new Date().toISOString().slice(0, 10);
    return { name: `tidings-${subdomain}-${day}.json`, content: await exportWorkspace(env, user.token, params.workspaceId) };
  });
}
