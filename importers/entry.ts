import type { z } from "zod";
import type { importSources } from "#contract/imports.ts";

/** Where posts come from. */
export type ImportSource = (typeof importSources)[number];

/** A file as it was chosen, or as another product's server has answered. */
export interface SourceFile {
  /** With its path where it lies in a folder: `posts/first.md`. */
  name: string;
  bytes: Uint8Array;
}

export type EntryStatus = "draft" | "scheduled" | "published" | "archived";

/** What a source says, in its own form: nothing is cleaned yet. `base` is the address at which relative ones in it start (./images.ts: of a file). */
export type EntryContent =
  /** `github`: as GitHub reads it in releases, where lines break as they stand and `#1` and `@who` are links; the repository, "" when unknown. */
  /** `site`: with what site generators read in it (./markdown/site-syntax.ts). */
  | { kind: "markdown"; text: string; base?: string; github?: string; site?: true }
  | { kind: "html"; text: string; base?: string }
  /** The editor's output, of our own export. */
  | { kind: "blocks"; content: unknown };

/** A post as any source has it. What the source does not know is null or empty. Nothing is cut or checked yet: ./to-post.ts does. */
export interface ImportEntry {
  /** The same at each run, and no other entry's: `github:owner/name@v1.2.0`. */
  external_id: string;
  title: string;
  /** ISO 8601 with a zone, of the first publication. */
  published_at: string | null;
  /** Of a scheduled one, when it will be published. */
  publish_at?: string | null;
  status: EntryStatus;
  /** As the source calls them. */
  tags: readonly string[];
  summary?: string | null;
  slug?: string | null;
  /** Address or path of a picture that stands for the post; "none": it shall have none. */
  cover?: { url: string; alt?: string; width?: number; height?: number } | "none" | null;
  author?: string | null;
  /** Whole addresses at which readers found it: they shall lead here. */
  old_urls: readonly string[];
  content: EntryContent;
  /** It comes from an export of ours, which has several forms of the same post. */
  isOurs?: boolean;
  /** What is lost or guessed, a sentence each. */
  notes: readonly string[];
}

/** What a source holds. */
export interface ReadSource {
  source: ImportSource;
  /** What it calls itself: a repository, a feed's title; null where it does not. */
  name: string | null;
  /** Whether its posts' names say whose they are: of files that do not, two of different products may have the same ones (`changelog:1.0.0`). */
  isNamed: boolean;
  /** Whether more could be kept if somebody said where the site is: old addresses, and pictures of its own. */
  wantsAddress: boolean;
  /** Latest first where the source says so; nothing relies on it. */
  entries: ImportEntry[];
  /** About the whole: what is missing, a sentence each. */
  notes: string[];
  /** What is in the source and in no entry, counted: `2 sections`, `21 pages`. `notes` say more about each. */
  leftOut: readonly string[];
  /** Pictures that came along, by the path that entries name them with. */
  images: ReadonlyMap<string, Uint8Array>;
}

/** Nothing can be done with a source. Its message is a sentence for who chose it, and names what is missing. */
export class ImportProblem extends Error {
  override readonly name = "ImportProblem";
}

/** One kind of source. Pure: the same bytes give the same entries. */
export interface Adapter {
  source: ImportSource;
  /** How sure it is that these are its files: 0 not at all, 1 by form alone, 2 by what only this source writes. Looks at little, throws nothing. */
  recognizes(files: readonly SourceFile[]): 0 | 1 | 2;
  /** Throws an `ImportProblem`, and nothing else. `now` is what decides whether a date lies ahead. */
  read(files: readonly SourceFile[], options: { now: Date; address?: string }): ReadSource;
}

/**
 * An entry as it can be sent (`importedPost`), and what was lost on the way in words. `images` are the addresses in it that are not ours yet, as
 * they stand in its blocks and its cover: ./images.ts says which of them came along as files, and puts the kept ones in their place.
 */
export interface PreparedPost {
  post: z.input<typeof import("#contract/imports.ts").importedPost>;
  /** Of a post of ours, what its fingerprint would have been before all forms of an export had the same. */
  formerFingerprint?: string;
  losses: string[];
  images: string[];
  /** Why it cannot be imported as it is, a sentence; its blocks are empty then. */
  problem: string | null;
  /** Names of a site generator's syntax that has no block, such as `{{< tweet >}}`. */
  siteSyntax?: readonly string[];
  /** Of a post that is a draft only because it has no date: the sentence in `losses` that says so. */
  undated?: string;
}
