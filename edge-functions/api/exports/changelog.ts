import { cleanBlocks } from "#contract/blocks/clean.ts";
import { escapeMarkdown } from "#contract/blocks/inline-to-markdown.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { atPresent, type StoredPost, type TakenWorkspace } from "./posts.ts";

export type ChangelogPost = Pick<StoredPost, "title" | "slug" | "status" | "publish_at" | "published_at" | "content_raw">;

interface ChangelogParts {
  workspace: Pick<TakenWorkspace, "name" | "open">;
  posts: AsyncIterable<ChangelogPost>;
  origin: string;
  now: Date;
}

const textOf = (raw: unknown, base: string): string => blocksToMarkdown(cleanBlocks(raw), { base, whole: true, below: 1 });

const labelOf = (title: string): string => title.replace(/\s+/g, " ").toLowerCase().toUpperCase();

/** Keep a Changelog, latest first. Titles link to public posts. Link definitions go at the end, except for repeated titles. */
export async function* changelog({ workspace, posts, origin, now }: ChangelogParts): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`# Changelog\n\nWhat's new at ${escapeMarkdown(workspace.name)}.\n`);
  const labels = new Set<string>();
  const addresses: string[] = [];
  for await (const stored of posts) {
    const post = atPresent(stored, now);
    const title = escapeMarkdown(post.title);
    const address = workspace.open ? `${origin}/releases/${post.slug}` : null;
    const isNamed = address !== null && !labels.has(labelOf(title));
    if (isNamed) {
      labels.add(labelOf(title));
      addresses.push(`[${title}]: ${address}\n`);
    }
    const link = address === null || isNamed ? "" : `(${address})`;
    const text = textOf(post.content_raw, origin);
    yield encoder.encode(`\n## [${title}]${link} - ${post.published_at!.slice(0, 10)}\n${text === "" ? "" : `\n${text}\n`}`);
  }
  if (addresses.length > 0) yield encoder.encode(`\n${addresses.join("")}`);
}
