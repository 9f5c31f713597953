import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { fieldNames, fieldsOf, pickFields, type PostContent, type StoredFields } from "#contract/rules/post-content.ts";
import type { Post } from "#contract/posts.ts";
import type { Revision } from "#contract/revisions.ts";

type VersionContent = StoredFields & Pick<Post, "content_raw">;

/** A post's blocks with stable ids, also for old rows without ids. */
export const contentOf = ({ content_raw }: Pick<Post, "content_raw">): CleanedContent =>
  giveIds(parseBlocks(content_raw) ?? cleanBlocks([]));

const cache = new WeakMap<VersionContent, PostContent>(); // a newer version is used again as the base

export function versionOf(post: VersionContent): PostContent {
  const version = cache.get(post) ?? { ...fieldsOf(post), blocks: parseBlocks(post.content_raw)?.blocks ?? [] };
  cache.set(post, version);
  return version;
}

export function identifiedOf(post: VersionContent): PostContent {
  const version = versionOf(post);
  return version.blocks.every(({ id }) => id !== undefined) ? version : { ...version, blocks: contentOf(post).blocks };
}

/** The post as it was at another version. */
export const atVersion = (post: Post, other: Revision | Post): Post => ({
  ...post,
  ...pickFields(other, fieldNames),
  version: other.version,
  content_raw: other.content_raw,
  content_md: other.content_md,
});
