import type { z } from "zod";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { audienceText } from "#contract/rules/audience.ts";
import { type PostDetails, readDetails } from "#contract/rules/post-details.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import type { changedPost, V1ListedPost, V1Post } from "#contract/v1/posts.ts";
import { originOf } from "../../_shared/public-origin.ts";
import type { PublicPlace } from "../public-place.ts";

export interface ShownRow extends Omit<V1ListedPost, "url" | "author" | keyof SentDetails> {
  author_name: string | null;
  details: unknown;
}

type SentDetails = Pick<z.output<typeof changedPost>, (typeof detailNames)[number]>;
const detailNames = [
  "pinned_until",
  "expires_at",
  "button",
  "product_version",
  "component",
  "breaking",
  "security",
  "placement",
  "audience",
] as const;

/** `details` of a request's flat fields, as the database merges them; undefined without any. */
export function withDetails<Fields extends SentDetails>(sent: Fields) {
  const fields: Record<string, unknown> = { ...sent };
  const given = detailNames.flatMap((name) => {
    const value = fields[name];
    delete fields[name];
    return value === undefined ? [] : [[name === "product_version" ? "version" : name, value] as const];
  });
  return {
    ...(fields as Omit<Fields, keyof SentDetails>),
    ...(given.length > 0 && { details: Object.fromEntries(given) as Partial<PostDetails> }),
  };
}

/** Due posts count as published, even before the publisher runs. Source: product decision 4. */
export function presentListed(row: ShownRow, place: PublicPlace, publicUrl: string): V1ListedPost {
  const status = statusAt(row, new Date());
  const { version: product_version, ...details } = readDetails(row.details);
  const isOut = status === "published" && place.open && details.audience === null;
  return {
    ...row,
    ...details,
    product_version,
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
    pinned_until: post.pinned_until,
    expires_at: post.expires_at,
    button_text: post.button?.text ?? null,
    button_url: post.button?.url ?? null,
    product_version: post.product_version,
    component: post.component,
    breaking: post.breaking || null,
    security: post.security || null,
    audience: post.audience && audienceText(post.audience),
    placement: post.placement,
    requests: post.requests.length > 0 ? post.requests : null,
  };
  const lines = Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${JSON.stringify(value)}`]));
  return `---\n${lines.join("\n")}\n---\n\n${post.markdown}\n`;
}
