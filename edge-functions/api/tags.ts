import type { z } from "zod";
import { type changeTagInput, tagEndpoints } from "#contract/tag-endpoints.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import type { Tag } from "#contract/tags.ts";
import type { Binder } from "../_shared/handle.ts";
import type { Database } from "../_shared/clients.ts";
import { json, rows } from "./result.ts";

export function bindTags({ signedIn }: Binder): void {
  signedIn(tagEndpoints.list, ({ db, params }) => listTags(db, params.workspaceId));

  signedIn(tagEndpoints.create, async ({ db, params, body }) => {
    return { tag: await createTag(db, params.workspaceId, body) };
  });

  signedIn(tagEndpoints.change, ({ db, params, query, body }) => changeTag(db, params.workspaceId, query.key, body));

  signedIn(tagEndpoints.merge, ({ db, params, body }) => mergeTags(db, params.workspaceId, body.key, body.into));

  signedIn(tagEndpoints.remove, async ({ db, params, query }) => {
    return { success: true as const, ...(await deleteTag(db, params.workspaceId, query.key)) };
  });
}

type TagList = z.output<typeof tagEndpoints.list.response>;
/** Of them, those that there are now. */
export type TagLists = Pick<TagList, "tags" | "carried">;
type Changed = z.output<typeof tagEndpoints.change.response>;

/** What the workspace offers, what its posts carry, and keys that tags had before. */
export function listTags(db: Database, workspaceId: string): Promise<TagList> {
  return json(db.rpc("list_tags", { workspace_id: workspaceId }));
}

/** The new tag, or the one that is there already. */
export async function createTag(db: Database, workspaceId: string, { label, colour }: Omit<Tag, "key">): Promise<Tag> {
  return (await rows(db.rpc("create_tag", { workspace_id: workspaceId, label, colour }))) as Tag;
}

/** Renames and recolours; posts follow. */
export function changeTag(db: Database, workspaceId: string, key: string, changes: z.output<typeof changeTagInput>): Promise<Changed> {
  const asked = { workspace_id: workspaceId, key, label: changes.label ?? null, colour: changes.colour ?? null };
  return settled(db, workspaceId, json(db.rpc("change_tag", asked)));
}

/** Posts with the one get the other. */
export function mergeTags(db: Database, workspaceId: string, key: string, into: string): Promise<Changed> {
  return settled(db, workspaceId, json(db.rpc("merge_tags", { workspace_id: workspaceId, key, into_key: into })));
}

export function deleteTag(db: Database, workspaceId: string, key: string): Promise<Pick<Changed, "posts">> {
  return settled(db, workspaceId, json(db.rpc("delete_tag", { workspace_id: workspaceId, key })));
}

const patienceMs = 20_000;

/** A change does some hundred posts at once: where there are more, they follow, so that no statement is long. What is left is done by the clock. */
async function settled<Answer>(db: Database, workspaceId: string, change: Promise<Answer & { unfinished: boolean }>): Promise<Answer> {
  const { unfinished, ...answer } = await change;
  const until = Date.now() + patienceMs;
  let more = unfinished;
  while (more && Date.now() < until) more = await rows(db.rpc("settle_tags", { workspace_id: workspaceId }));
  return answer as Answer;
}

/**
 * The keys of tags that are given by key or by name: a tag that there is keeps its key, whatever that looks like; of any other name a key is made
 * as the app makes one.
 */
export async function keysOfTags(db: Database, workspaceId: string, tags: string[] | undefined): Promise<string[] | undefined> {
  if (tags === undefined || tags.every((tag) => tag === tagKey(tag))) return tags;
  const { tags: offered, carried } = await listTags(db, workspaceId);
  const known = new Set([...offered, ...carried].map(({ key }) => key));
  return [...new Set(tags.map((tag) => (known.has(tag) ? tag : tagKey(tag))))];
}
