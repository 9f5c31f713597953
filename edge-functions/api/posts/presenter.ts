import { cleaning } from "#contract/blocks/clean.ts";
import { htmlOfBlocks } from "#contract/blocks/to-html.ts";
import type { ListedPost, Post, PostSummary } from "#contract/posts.ts";
import { inTurns } from "../../_shared/in-turns.ts";
import type { ListedPostRow, PostRow, PostSummaryRow } from "./queries.ts";
import { iso } from "../time.ts";

export function presentSummary(row: PostSummaryRow): PostSummary {
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    title: row.title,
    slug: row.slug,
    excerpt: row.excerpt,
    status: row.status,
    tags: row.tags,
    publish_at: iso(row.publish_at),
    published_at: iso(row.published_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    archived_at: iso(row.archived_at),
    created_by: row.created_by,
    created_by_name: row.created_by_name,
    author_name: row.author_name,
    version: row.version,
  };
}

export const presentListed = (row: ListedPostRow): ListedPost => ({ ...presentSummary(row), views: row.views });

/** Cleans again on the way out: a row may have been written past the API. */
export async function presentPost(row: PostRow): Promise<Post> {
  const content = await inTurns(cleaning(row.content_raw));
  return {
    ...presentSummary(row),
    author: row.author && { user_id: row.author.user_id, full_name: row.author.full_name, avatar_url: row.author.avatar_url },
    content_raw: JSON.stringify(content),
    content_md: await inTurns(htmlOfBlocks(content)),
    public_changelog_enabled: row.public_changelog_enabled,
  };
}
