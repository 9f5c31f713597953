import { cleanBlocks } from "#contract/blocks/clean.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import type { Version } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";

/** A post, or what is kept of one: a version, a proposal. */
type Kept = Pick<Post, "title" | "summary" | "tags" | "cover_image" | "content_raw">;

/** A post's blocks as the editor shows them: each with an id, the same one each time, also where an old row has none. */
export const contentOf = ({ content_raw }: Pick<Post, "content_raw">): CleanedContent =>
  giveIds(parseBlocks(content_raw) ?? cleanBlocks([]));

const known = new WeakMap<Kept, Version>(); // the same post is asked for twice: as a colleague's newer version, then as the base

/** As it is stored: merging finds out by itself which block of an old row is which. */
export function versionOf(post: Kept): Version {
  const made = known.get(post) ?? {
    title: post.title,
    summary: post.summary ?? "",
    cover: post.cover_image,
    tags: post.tags,
    blocks: parseBlocks(post.content_raw)?.blocks ?? [],
  };
  known.set(post, made);
  return made;
}

/** With an id for each block. */
export function identifiedOf(post: Kept): Version {
  const version = versionOf(post);
  return version.blocks.every(({ id }) => id !== undefined) ? version : { ...version, blocks: contentOf(post).blocks };
}
