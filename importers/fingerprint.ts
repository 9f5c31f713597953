import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { blocksFromMarkdown, MarkdownProblem } from "#contract/blocks/from-markdown.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { momentOf } from "./dates.ts";
import type { ImportEntry, PreparedPost } from "./entry.ts";
import { isKept, pathOfFile } from "./images.ts";
import { baseName } from "./files/text.ts";

/** JSON with the keys of all objects in order: the same for the same, whoever wrote it. */
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

/** What the source says of a post, as SHA-256 in hex; what is said here about it (notes), and where a file stood, is none of it. */
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
  const said = { external_id, title, published_at, publish_at, status, tags, summary, slug, cover, author };
  return sha256(canonical({ ...said, old_urls: entry.old_urls, kind: entry.content.kind, content }));
}

/** Not a paragraph or heading of which only markup was there. */
export const saysAnything = ({ type, data }: Block): boolean =>
  (type !== "paragraph" && type !== "header") || inlineText(data.text).trim() !== "";

/** A picture of ours by its name, which it keeps in every form of our export; any other by its address. */
const pictureName = (url: string): string => (pathOfFile(url) !== null || isKept(url, undefined) ? baseName(url) : url);

/** Blocks as the Markdown that they come back from as the same: what one of our forms says and another does not is none of it. */
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

/**
 * What a post of our own export will be, as SHA-256 in hex: the same from whichever form of the export it came (adapters/tidings.ts, adapters/markdown.ts). Times
 * are those that the export says, whether or not they are over by now.
 */
export function fingerprintOfOurs(entry: ImportEntry, post: PreparedPost["post"], blocks: readonly Block[]): Promise<string> {
  const time = (given: string | null | undefined): string | number | null => momentOf(given ?? null) ?? given ?? null;
  const { external_id, title, summary, tags, slug, author, cover_image: cover = null } = post;
  return sha256(
    canonical({
      ...{ external_id, title, summary, tags, slug, author, status: entry.status },
      published_at: entry.status === "published" || entry.status === "archived" ? time(entry.published_at) : null,
      publish_at: entry.status === "scheduled" ? time(entry.publish_at) : null,
      cover: typeof cover === "object" && cover !== null ? { url: pictureName(cover.url), alt: cover.alt ?? "" } : cover,
      text: textOf(blocks, entry.content.kind === "markdown"),
    }),
  );
}
