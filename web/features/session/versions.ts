import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { fieldsOf, type PostContent } from "#contract/rules/post-content.ts";
import type { Post } from "#contract/posts.ts";
import type { Revision } from "#contract/revisions.ts";

type VersionContent = Pick<Post, "title" | "summary" | "tags" | "cover_image" | "content_raw">;

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
export const atVersion = (post: Post, { version, title, summary, tags, cover_image, content_raw, content_md }: Revision | Post): Post => ({
  ...post,
  ...{ version, title, summary, tags, cover_image, content_raw, content_md },
});
