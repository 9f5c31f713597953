import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import type { Version } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";

type VersionContent = Pick<Post, "title" | "summary" | "tags" | "cover_image" | "content_raw">;

/** A post's blocks with stable ids, also for old rows without ids. */
export const contentOf = ({ content_raw }: Pick<Post, "content_raw">): CleanedContent =>
  giveIds(parseBlocks(content_raw) ?? cleanBlocks([]));

const cache = new WeakMap<VersionContent, Version>(); // a newer version is used again as the base

export function versionOf(post: VersionContent): Version {
  const version = cache.get(post) ?? {
    title: post.title,
    summary: post.summary ?? "",
    cover: post.cover_image,
    tags: post.tags,
    blocks: parseBlocks(post.content_raw)?.blocks ?? [],
  };
  cache.set(post, version);
  return version;
}

export function identifiedOf(post: VersionContent): Version {
  const version = versionOf(post);
  return version.blocks.every(({ id }) => id !== undefined) ? version : { ...version, blocks: contentOf(post).blocks };
}
