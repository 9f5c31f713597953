import type { z } from "zod";
import { type changeTagInput, tagEndpoints } from "#contract/tag-endpoints.ts";
import type { ApiKeyScope } from "#contract/api-key-scopes.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import { defaultTags, type Tag, tagCalled } from "#contract/tags.ts";
import type { Binder } from "../_shared/handle.ts";
import type { Database } from "../_shared/clients.ts";
import { AppError } from "../_shared/errors.ts";
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
export type TagLists = Pick<TagList, "tags" | "carried">;
type Changed = z.output<typeof tagEndpoints.change.response>;

export function listTags(db: Database, workspaceId: string): Promise<TagList> {
  return json(db.rpc("list_tags", { workspace_id: workspaceId }));
}

export async function createTag(db: Database, workspaceId: string, { label, colour }: Omit<Tag, "key">): Promise<Tag> {
  return (await rows(db.rpc("create_tag", { workspace_id: workspaceId, label, colour }))) as Tag;
}

export function changeTag(db: Database, workspaceId: string, key: string, changes: z.output<typeof changeTagInput>): Promise<Changed> {
  const args = { workspace_id: workspaceId, key, label: changes.label ?? null, colour: changes.colour ?? null };
  return settled(db, workspaceId, json(db.rpc("change_tag", args)));
}

export function mergeTags(db: Database, workspaceId: string, key: string, into: string): Promise<Changed> {
  return settled(db, workspaceId, json(db.rpc("delete_tag", { workspace_id: workspaceId, key, into_key: into })));
}

export function deleteTag(db: Database, workspaceId: string, key: string): Promise<Pick<Changed, "posts">> {
  return settled(db, workspaceId, json(db.rpc("delete_tag", { workspace_id: workspaceId, key })));
}

const timeoutMs = 20_000;

/** Changes about a hundred posts per statement to keep locks short; cron finishes the rest. */
async function settled<Answer>(db: Database, workspaceId: string, change: Promise<Answer & { unfinished: boolean }>): Promise<Answer> {
  const { unfinished, ...answer } = await change;
  const until = Date.now() + timeoutMs;
  let more = unfinished;
  while (more && Date.now() < until) more = await rows(db.rpc("settle_tags", { workspace_id: workspaceId }));
  return answer as Answer;
}

interface GivenTags {
  keys: string[];
  fresh: string[];
}

/** Resolves by key (current or former), then by name; otherwise derives a key. */
async function readTags(db: Database, workspaceId: string, names: readonly string[]): Promise<GivenTags> {
  if (names.every((tag) => tag === tagKey(tag) && (tagCalled(tag, defaultTags)?.key ?? tag) === tag))
    return { keys: [...names], fresh: [] };
  const { tags, carried, former } = await listTags(db, workspaceId);
  const knownKeys = new Set([...tags, ...carried].map(({ key }) => key));
  const keys = new Set<string>();
  const fresh: string[] = [];
  for (const tag of names) {
    const newKey = tagKey(tag);
    const isFormer = Object.hasOwn(former, newKey);
    const present = knownKeys.has(tag) ? tag : ((isFormer ? former[newKey] : null) ?? tagCalled(tag, tags)?.key);
    if (present === undefined && !isFormer && tag !== newKey) fresh.push(tag);
    keys.add(present ?? newKey);
  }
  return { keys: [...keys], fresh };
}

/** Saves first, so a refused save creates no tags. Without permission to create tags the post keeps the bare keys. */
export async function withKeysOfTags<Saved>(
  { db, key }: { db: Database; key: { workspaceId: string; scopes: readonly ApiKeyScope[] } },
  names: readonly string[] | undefined,
  save: (keys: string[] | undefined) => Promise<Saved>,
): Promise<Saved> {
  if (names === undefined) return await save(undefined);
  const { keys, fresh } = await readTags(db, key.workspaceId, names);
  const saved = await save(keys);
  if (!key.scopes.includes("tags:write")) return saved;
  for (const label of fresh) {
    try {
      await createTag(db, key.workspaceId, { label, colour: "blue" });
    } catch (error) {
      // Creating tags can fail (public posts use it, or too many tags); the post is saved anyway.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return saved;
}
