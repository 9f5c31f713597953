import { z } from "zod";
import type { Limits, Unknown } from "./read.ts";

/** Inline HTML of the allow-list in ./inline-html.ts: b i u s em strong br mark code a[href]. */
export const inline = z.string();
/** Text as it is: `<` means `<`. */
export const text = z.string();

/** Where HTML or Markdown is read. */
export interface Place {
  /** Before the addresses of stored images: an origin, for feeds and mails; "" where root-relative ones do. */
  base: string;
  /** On the public page, whose style and policy are ours. Elsewhere (feeds, the widget, the API) HTML has to do without either. */
  page: boolean;
}

/** How many list items or table cells a block has, cleaned or not, and the sentence when those are too many for one block. */
export interface Pieces {
  pieces: number;
  problem: string | null;
}

/**
 * All that server and clients know of one type of block. Fields of `data` that hold words are inline HTML, `code` text as it is; the database
 * reads them by the rules of supabase (private.words_of): settings and addresses have names of their own there.
 */
export interface BlockType<Data> {
  schema: z.ZodType<Data>;
  /** The cleaned data, or null when nothing of the block can stay. Idempotent. */
  clean(data: Unknown, limits: Limits): Data | null;
  html(data: Data, place: Place): string;
  markdown(data: Data, place: Place): string;
  /** Its words as plain text, a piece for each line, item or cell. */
  words(data: Data): string[];
  /** Running text: a post's excerpt begins with it. */
  prose: boolean;
  /** Something to see even without a word. */
  visible: boolean;
  /** How it looks on the public page, below `.body`. */
  style: string;
  /** Origins of what it shows in frames on the public page. */
  frames?: readonly string[];
  /** For a type with many parts. Cheap: it is asked before anything is done with the text. */
  pieces?(data: unknown): Pieces;
}

export const blockType = <Data>(type: BlockType<Data>): BlockType<Data> => type;
