import type { z } from "zod";
import { v1TagEndpoints } from "#contract/v1/tags.ts";
import type { Binder } from "../../_shared/handle.ts";
import { changeTag, createTag, deleteTag, listTags, mergeTags, type TagLists } from "../tags.ts";

export function bindV1Tags({ withKey }: Binder): void {
  withKey(v1TagEndpoints.list, async ({ db, key }) => ({ tags: offeredTags(await listTags(db, key.workspaceId)) }));

  withKey(v1TagEndpoints.create, async ({ db, key, body }) => ({ tag: await createTag(db, key.workspaceId, body) }));

  withKey(v1TagEndpoints.change, ({ db, key, query, body }) => changeTag(db, key.workspaceId, query.key, body));

  withKey(v1TagEndpoints.merge, ({ db, key, body }) => mergeTags(db, key.workspaceId, body.key, body.into));

  withKey(v1TagEndpoints.remove, async ({ db, key, query }) => {
    return { success: true as const, ...(await deleteTag(db, key.workspaceId, query.key)) };
  });
}

/** The workspace's tags, then other tags of posts as gray keys. */
export function offeredTags({ tags, carried }: TagLists): z.output<typeof v1TagEndpoints.list.response>["tags"] {
  const carriers = new Map(carried.map(({ key, posts }) => [key, posts]));
  const loose = carried.filter(({ key }) => tags.every((tag) => tag.key !== key));
  return [
    ...tags.map((tag) => ({ ...tag, posts: carriers.get(tag.key) ?? 0 })),
    ...loose.map(({ key, posts }) => ({ key, label: key, colour: "gray" as const, posts })),
  ];
}
