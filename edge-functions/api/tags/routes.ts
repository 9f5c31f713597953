import { tagEndpoints } from "#contract/tag-endpoints.ts";
import type { Binder } from "../../_shared/handle.ts";
import { createTag, listTags } from "./queries.ts";

export function bindTags({ signedIn }: Binder): void {
  signedIn(tagEndpoints.list, async ({ db, params }) => {
    return { tags: await listTags(db, params.workspaceId) };
  });

  signedIn(tagEndpoints.create, async ({ db, params, body }) => {
    return { tag: await createTag(db, params.workspaceId, body) };
  });
}
