import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import type { V1ListedPost, V1Post } from "#contract/v1/posts.ts";
import { originOf } from "../../_shared/public-origin.ts";
import type { PublicPlace } from "../public-place.ts";

export interface ShownRow extends Omit<V1ListedPost, "url" | "author"> {
  author_name: string | null;
}

/** Due posts count as published, even before the publisher runs. Source: product decision 4. */
export function presentListed(row: ShownRow, place: PublicPlace, publicUrl: string): V1ListedPost {
  const status = statusAt(row, new Date());
  const isOut = status === "published" && place.open;
  return {
    ...row,
    status,
    published_at: row.published_at ?? (status === "published" ? row.publish_at : null),
    author: row.author_name,
    url: isOut ? `${originOf(publicUrl, place)}/releases/${row.slug}` : null,
  };
}

export async function presentPost(
  row: ShownRow & { content_raw: unknown },
  place: PublicPlace,
  publicUrl: string,
  content?: CleanedContent,
): Promise<V1Post> {
  const cleaned = content ?? cleanBlocks(row.content_raw);
  const markdown = blocksToMarkdown(cleaned, { base: publicUrl, whole: true });
  return { ...presentListed(row, place, publicUrl), markdown, blocks: cleaned.blocks };
}

export function markdownFile(post: V1Post): string {
  const facts = {
    title: post.title,
    date: post.published_at ?? post.publish_at,
    status: post.status,
    tags: post.tags,
    author: post.author,
    url: post.url,
    external_id: post.external_id,
    version: post.version,
    requests: post.requests.length > 0 ? post.requests : null,
  };
  const lines = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${JSON.stringify(value)}`]));
  return `---\n${lines.join("\n")}\n---\n\n${post.markdown}\n`;
}
