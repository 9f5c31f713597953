import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import type { RowOf } from "#contract/database.ts";
import type { ReleaseSummary } from "#contract/releases.ts";
import { readCover } from "#contract/rules/cover.ts";
import { readPublicDetails } from "#contract/rules/post-details.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import { type SentEvent, webhookMaxBytes, type WebhookPayload } from "#contract/webhooks.ts";
import { firstImage } from "../../releases/presenters/first-image.ts";
import { type Addressed, originOf } from "../../_shared/public-origin.ts";

export type PostRow = Pick<
  RowOf<"post_details">,
  "id" | "slug" | "title" | "excerpt" | "tags" | "author_name" | "updated_at" | "cover_image" | "content_raw" | "requests" | "details"
> & { published_at: string };

export interface PostPayload extends ReleaseSummary {
  content_text: string;
  requests: string[];
  labels: string[];
}

export interface WebhookNotice {
  type: SentEvent;
  happenedAt: string;
  workspace: { id: string; name: string } & Addressed;
  post: PostPayload | null;
  facts: Record<string, unknown>;
  webhookId: string;
}

export async function postPayload(row: PostRow, ownTags: readonly Tag[], origin: string): Promise<PostPayload> {
  const cover = readCover(row.cover_image);
  const image = cover === "none" ? null : (cover ?? firstImage(row.content_raw));
  return {
    id: row.id,
    title: row.title,
    slug: row.slug,
    url: addressOf(origin, row.slug),
    excerpt: row.excerpt,
    tags: row.tags,
    author_name: row.author_name,
    image: image && { ...image, url: image.url.startsWith("/") ? origin + image.url : image.url },
    published_at: new Date(row.published_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    content_text: blocksToText(cleanBlocks(row.content_raw)),
    requests: row.requests,
    ...readPublicDetails(row.details),
    labels: row.tags.map((key) => tagOf(key, ownTags).label),
  };
}

const addressOf = (origin: string, slug: string): string => `${origin}/releases/${slug}`;

export function payloadOf({ type, happenedAt, workspace, post, facts, webhookId }: WebhookNotice, publicUrl: string): WebhookPayload {
  const origin = originOf(publicUrl, workspace);
  const { id, name, subdomain } = workspace;
  const from = { id, name, subdomain, url: `${origin}/releases` };
  const timestamp = new Date(happenedAt).toISOString();
  const whole = (data: object) => ({ type, timestamp, data: { workspace: from, ...data } }) as WebhookPayload;
  if (post !== null) {
    const { labels: _, ...publicPost } = post;
    return whole({ post: publicPost, ...(type === "post.updated" && { previous: facts }) });
  }
  if (type === "post.unpublished") return whole({ post: { ...facts, url: addressOf(origin, String(facts["slug"])) } });
  if (type === "post.scheduled")
    return whole({ post: { ...facts, scheduled_for: new Date(String(facts["scheduled_for"])).toISOString() } });
  if (type === "webhook.ping") return whole({ webhook: { id: webhookId } });
  return whole({ subscriber: facts });
}

/** Serialised within 20 kB by truncating the post's text. */
export function bodyOf(payload: WebhookPayload): Uint8Array {
  const write = (data: unknown) => new TextEncoder().encode(JSON.stringify({ ...payload, data }));
  let body = write(payload.data);
  if (!("post" in payload.data && "content_text" in payload.data.post)) return body;
  const { post } = payload.data;
  for (let text = post.content_text; body.length > webhookMaxBytes && text !== "";) {
    text = text.slice(0, Math.floor((text.length * webhookMaxBytes * 0.98) / body.length)).toWellFormed();
    body = write({ ...payload.data, post: { ...post, content_text: `${text.trimEnd()}…` } });
  }
  return body;
}
