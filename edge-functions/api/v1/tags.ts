import { v1TagEndpoints } from "#contract/v1/tags.ts";
import type { Binder } from "../../_shared/handle.ts";
import { changeTag, createTag, deleteTag, listTags, mergeTags } from "../tags.ts";

export function bindV1Tags({ withKey }: Binder): void {
  withKey(v1TagEndpoints.list, async ({ db, key }) => {
    const { tags, carried } = await listTags(db, key.workspaceId);
    const carriers = new Map(carried.map(({ key, posts }) => [key, posts]));
    const loose = carried.filter(({ key }) => tags.every((tag) => tag.key !== key));
    return {
      tags: [
        ...tags.map((tag) => ({ ...tag, posts: carriers.get(tag.key) ?? 0 })),
        // What posts carry and the workspace does not offer is shown by its key, in gray.
        ...loose.map(({ key, posts }) => ({ key, label: key, colour: "gray" as const, posts })),
      ],
    };
  });

  withKey(v1TagEndpoints.create, async ({ db, key, body }) => ({ tag: await createTag(db, key.workspaceId, body) }));

  withKey(v1TagEndpoints.change, ({ db, key, query, body }) => changeTag(db, key.workspaceId, query.key, body));

  withKey(v1TagEndpoints.merge, ({ db, key, body }) => mergeTags(db, key.workspaceId, body.key, body.into));

  withKey(v1TagEndpoints.remove, async ({ db, key, query }) => {
    return { success: true as const, ...(await deleteTag(db, key.workspaceId, query.key)) };
  });
}
