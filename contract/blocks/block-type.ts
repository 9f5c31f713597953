import type { z as Zod } from "zod";
import type { BlockWords } from "./block-labels.ts";
import type { Limits, Unknown } from "./read.ts";

export interface SchemaParts {
  z: typeof Zod;
  inline: Zod.ZodType<string>;
  text: Zod.ZodType<string>;
}

export interface Place {
  /** Prefix for URLs of stored images: an origin for feeds and emails, "" for root-relative. */
  base: string;
  /** True on the public page. Feeds, the widget and the API can't rely on our CSS and CSP. */
  page: boolean;
  /** Rewrites image URLs, for exports and emails that include the images. */
  picture?: ((url: string) => string) | undefined;
  /** Heading levels are lowered by this many: the text is part of a larger one. */
  below?: number;
  /** Lossless Markdown: HTML tags where Markdown has no syntax. Otherwise only the text is kept. */
  whole?: boolean;
  words?: BlockWords | undefined;
  /** Code as HTML with `<span class="k">` tokens; null for unsupported languages. Public page only. */
  colour?: ((code: string, language: string) => string | null) | undefined;
}

/** Number of list items or table cells, and the error message when a block has too many. */
export interface Pieces {
  pieces: number;
  problem: string | null;
}

/**
 * One block type. The database indexes words without knowing types (private.text_of in supabase/schemas): it reads every string in `data`
 * as inline HTML, under `code` as plain text, and skips settings (kind, style, alignment, language, service, meta, type), ids (id) and URLs
 * (url, file, source, href, src). `text` or `items` without a `level` is prose; a `url`, or a `file`'s, is visible.
 */
export interface BlockType<Data> {
  name: string;
  phrase: string;
  schema(parts: SchemaParts): Zod.ZodType<Data>;
  /** null when nothing usable remains. Idempotent. */
  clean(data: Unknown, limits: Limits): Data | null;
  html(data: Data, place: Place): string;
  markdown(data: Data, place: Place): string;
  /** Fields that Markdown can't express; written as a note behind the block. */
  unsaid?(data: Data): object;
  words(data: Data): string[];
  /** Running text, which an excerpt can start with. */
  prose: boolean;
  /**
   * Visible even without text; null: text only. Another `thing` (a URL) makes another block. Fields in `together` merge as one: a new
   * image and another person's new description don't belong together.
   */
  shows: { thing(data: Data): string; together: readonly string[] } | null;
  wordless: string;
  style: string;
  frames?: readonly string[];
  /** Cheap check that runs before the text is processed. */
  pieces?(data: unknown): Pieces;
}

type Named<Data> = BlockType<Data> & { shows: { together: readonly (keyof Data)[] } | null };
export const blockType = <Data>(type: Named<Data>): BlockType<Data> => type;
