import type { z as Zod } from "zod";
import type { BlockWords } from "./block-labels.ts";
import type { Limits, Unknown } from "./read.ts";

/** What schemas are made of. It is handed in, so that what only shows posts, as the public page does, starts without zod. */
export interface SchemaParts {
  z: typeof Zod;
  /** Inline HTML of the allow-list in ./inline-html.ts: b i u s em strong br mark code a[href]. */
  inline: Zod.ZodType<string>;
  /** Text as it is: `<` means `<`. */
  text: Zod.ZodType<string>;
}

/** Where HTML or Markdown is read. */
export interface Place {
  /** Before the addresses of stored images: an origin, for feeds and mails; "" where root-relative ones do. */
  base: string;
  /** On the public page, whose style and policy are ours. Elsewhere (feeds, the widget, the API) HTML has to do without either. */
  page: boolean;
  /** Rewrites the URL of an image, for exports and mails that bring the images along. */
  picture?: ((url: string) => string) | undefined;
  /** By how many levels headings stand below where they would: the text is part of another one. */
  below?: number;
  /** Markdown that reads back as the same block, with tags for what it has no signs for; else such things leave their words alone. */
  whole?: boolean;
  /** What is said of blocks, in the readers' language; English without. */
  words?: BlockWords | undefined;
  /** Code as HTML with a `<span class="k">` around a keyword and the like; null for a language it does not know. On the public page. */
  colour?: ((code: string, language: string) => string | null) | undefined;
}

/** How many list items or table cells a block has, cleaned or not, and the sentence when those are too many for one block. */
export interface Pieces {
  pieces: number;
  problem: string | null;
}

/**
 * All that server and clients know of one type of block. The database reads its words without knowing its type (supabase/schemas,
 * private.words_of): every string in `data`, as inline HTML, under `code` as it is; but not under the names that settings (kind, style,
 * alignment, language, service, meta, type), ids (id) and addresses (url, file, source, href, src) have. `text` or `items` without a `level` is
 * prose; a `url`, or that of a `file`, is visible.
 */
export interface BlockType<Data> {
  /** What it is called: as a heading, and in a sentence ("was a heading"). */
  name: string;
  phrase: string;
  schema(parts: SchemaParts): Zod.ZodType<Data>;
  /** The cleaned data, or null when nothing of the block can stay. Idempotent. */
  clean(data: Unknown, limits: Limits): Data | null;
  html(data: Data, place: Place): string;
  markdown(data: Data, place: Place): string;
  /** What its Markdown says nothing of, as fields of its data: noted behind it where it is to be read back. */
  unsaid?(data: Data): object;
  /** Its words as plain text, a piece for each line, item or cell. */
  words(data: Data): string[];
  /** Running text: a post's excerpt begins with it. */
  prose: boolean;
  /**
   * What is seen of it even without a word; null: it is words alone. With another `thing`, a URL, it is another block and not a changed one. Fields
   * that go `together` are merged as one: who changes the picture, and who its description, do not mean the same picture.
   */
  shows: { thing(data: Data): string; together: readonly string[] } | null;
  /** What a comparison of versions says where it has no words. */
  wordless: string;
  /** How it looks on the public page, below `.body`. */
  style: string;
  /** Origins of what it shows in frames on the public page. */
  frames?: readonly string[];
  /** For a type with many parts. Cheap: it is asked before anything is done with the text. */
  pieces?(data: unknown): Pieces;
}

type Named<Data> = BlockType<Data> & { shows: { together: readonly (keyof Data)[] } | null };
export const blockType = <Data>(type: Named<Data>): BlockType<Data> => type;
