import { revisionEndpoints } from "#contract/revisions.ts";
import type { Binder } from "../../_shared/handle.ts";
import { presentPost } from "../posts/presenter.ts";
import { presentRevision } from "./presenter.ts";
import { findRevision, listRevisions, restoreRevision } from "./queries.ts";

export function bindRevisions({ signedIn }: Binder): void {
  signedIn(revisionEndpoints.list, async ({ db, params, query }) => {
    return { revisions: await listRevisions(db, params.id, query.before) };
  });

  signedIn(revisionEndpoints.read, async ({ db, params }) => {
    return { revision: await presentRevision(await findRevision(db, params.id, params.version)) };
  });

  signedIn(revisionEndpoints.restore, async ({ db, params, body }) => {
    return { post: await presentPost(await restoreRevision(db, params.id, params.version, body?.version)) };
  });
}
