import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { audienceText } from "#contract/rules/audience.ts";
import { readCover } from "#contract/rules/cover.ts";
import { readDetails } from "#contract/rules/post-details.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import type { StoredPost } from "./posts.ts";

export type Picture = (url: string) => string;

/** By date, or `draft-`, so names are unique. */
export const fileNameOf = ({ published_at, publish_at, status, slug }: StoredPost): string =>
  `${(published_at ?? (status === "scheduled" ? publish_at : null))?.slice(0, 10) ?? "draft"}-${slug}.md`;

/** The tag's name if it maps back to the same key. */
function nameOf(key: string, own: readonly Tag[]): string {
  const { label } = tagOf(key, own);
  return tagKey(label) === key ? label : key;
}

/** YAML; strings and lists as JSON, dates unquoted for other tools. */
function frontMatter(post: StoredPost, own: readonly Tag[], picture: Picture): string {
  const cover = readCover(post.cover_image);
  const chosen = cover !== null && cover !== "none" ? cover : null;
  const { button, ...details } = readDetails(post.details);
  const facts: Record<string, string | null> = {
    title: JSON.stringify(post.title),
    slug: JSON.stringify(post.slug),
    status: post.status,
    date: post.published_at,
    publish_at: post.status === "scheduled" ? post.publish_at : null,
    tags: post.tags.length > 0 ? JSON.stringify(post.tags.map((key) => nameOf(key, own))) : null,
    summary: post.summary && JSON.stringify(post.summary),
    cover: cover === "none" ? "none" : chosen && JSON.stringify(picture(chosen.url)),
    cover_alt: chosen?.alt ? JSON.stringify(chosen.alt) : null,
    author: post.author_name && JSON.stringify(post.author_name),
    external_id: JSON.stringify(post.external_id ?? `tidings:${post.id}`),
    updated: post.updated_at,
    requests: post.requests.length > 0 ? JSON.stringify(post.requests) : null,
    pinned_until: details.pinned_until,
    expires_at: details.expires_at,
    button_text: button && JSON.stringify(button.text),
    button_url: button && JSON.stringify(button.url),
    product_version: details.version && JSON.stringify(details.version),
    component: details.component && JSON.stringify(details.component),
    breaking: details.breaking ? "true" : null,
    security: details.security ? "true" : null,
    audience: details.audience && JSON.stringify(audienceText(details.audience)),
    placement: details.placement && JSON.stringify(details.placement),
  };
  return Object.entries(facts)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\n`]))
    .join("");
}

/** Reads back as the same post (importers/adapters/markdown.ts). */
export function writtenPost(post: StoredPost, own: readonly Tag[], picture: Picture): string {
  const content = cleanBlocks(post.content_raw);
  const text = blocksToMarkdown(content, { whole: true, picture });
  return `---\n${frontMatter(post, own, picture)}---\n\n${text}\n`;
}
