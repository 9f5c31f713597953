import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blocksFromMarkdown, MarkdownProblem } from "#contract/blocks/from-markdown.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { momentOf } from "./dates.ts";
import type { ImportEntry, PreparedPost } from "./entry.ts";
import { isKept, pathOfFile } from "./images.ts";
import { baseName } from "./files/text.ts";

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}

export async function sha256(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 in hex of the source's data, without our notes and file positions. */
export function fingerprintOf(entry: ImportEntry): Promise<string> {
  const {
    external_id,
    title,
    published_at,
    publish_at = null,
    status,
    tags,
    summary = null,
    slug = null,
    cover = null,
    author = null,
  } = entry;
  const content = entry.content.kind === "blocks" ? entry.content.content : entry.content.text;
  const facts = { external_id, title, published_at, publish_at, status, tags, summary, slug, cover, author };
  return sha256(canonical({ ...facts, old_urls: entry.old_urls, kind: entry.content.kind, content }));
}

/** False for a paragraph or heading without text. */
export const saysAnything = ({ type, data }: Block): boolean =>
  (type !== "paragraph" && type !== "header") || inlineText(data.text).trim() !== "";

/** Our images by name, which is the same in every export format; others by URL. */
const pictureName = (url: string): string => (pathOfFile(url) !== null || isKept(url, undefined) ? baseName(url) : url);

/** As Markdown that reads back the same, so differences between our export formats don't matter. */
function textOf(blocks: readonly Block[], cameAsMarkdown: boolean): string {
  if (cameAsMarkdown) return blocksToMarkdown(cleanBlocks(blocks, unlimited), { whole: true, picture: pictureName });
  const whole = blocksToMarkdown(cleanBlocks(blocks, unlimited), { whole: true });
  try {
    const once = blocksFromMarkdown(whole, { frontMatter: false }).blocks.filter(saysAnything);
    return blocksToMarkdown(cleanBlocks(once, unlimited), { whole: true, picture: pictureName });
  } catch (error) {
    if (error instanceof MarkdownProblem) return whole;
    throw error;
  }
}

/** SHA-256 in hex, equal for all formats of our own export. Uses the export's times, past or future. */
export function fingerprintOfOurs(entry: ImportEntry, post: PreparedPost["post"], blocks: readonly Block[]): Promise<string> {
  const time = (date: string | null | undefined): string | number | null => momentOf(date ?? null) ?? date ?? null;
  const { external_id, title, summary, tags, slug, author, cover_image: cover = null, details } = post;
  return sha256(
    canonical({
      ...{ external_id, title, summary, tags, slug, author, status: entry.status },
      published_at: entry.status === "published" || entry.status === "archived" ? time(entry.published_at) : null,
      publish_at: entry.status === "scheduled" ? time(entry.publish_at) : null,
      cover: typeof cover === "object" && cover !== null ? { url: pictureName(cover.url), alt: cover.alt ?? "" } : cover,
      ...(details && { details }), // absent before 0.3.0
      text: textOf(blocks, entry.content.kind === "markdown"),
    }),
  );
}
