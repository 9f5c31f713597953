import type { z } from "zod";
import type { importSources } from "#contract/imports.ts";

export type ImportSource = (typeof importSources)[number];

export interface SourceFile {
  name: string;
  bytes: Uint8Array;
}

export type EntryStatus = "draft" | "scheduled" | "published" | "archived";

/** Content in the source's format, before cleaning. `base` resolves relative URLs (files: ./images.ts). */
export type EntryContent =
  /** `github`: GitHub flavour with hard line breaks, `#1` and `@user` links; the repository, or "" if unknown. */
  /** `site`: with site generators' syntax (./markdown/site-syntax.ts). */
  | { kind: "markdown"; text: string; base?: string; github?: string; site?: true }
  | { kind: "html"; text: string; base?: string }
  | { kind: "blocks"; content: unknown };

/** A post before validation and truncation (./to-post.ts). Unknown fields are null or empty. */
export interface ImportEntry {
  /** Stable and unique: `github:owner/name@v1.2.0`. */
  external_id: string;
  title: string;
  published_at: string | null;
  publish_at?: string | null;
  status: EntryStatus;
  tags: readonly string[];
  summary?: string | null;
  slug?: string | null;
  /** URL or path; "none": explicitly no cover. */
  cover?: { url: string; alt?: string; width?: number; height?: number } | "none" | null;
  author?: string | null;
  /** As stored, or as a source calls them; invalid ones are left out. */
  details?: Record<string, unknown> | null;
  /** Absolute URLs that will redirect to the post. */
  old_urls: readonly string[];
  content: EntryContent;
  /** URLs of issues and pull requests. */
  requests?: readonly string[];
  isOurs?: boolean;
  notes: readonly string[];
}

export interface ReadSource {
  source: ImportSource;
  name: string | null;
  /** False if ids don't include the product, so two products' posts could collide (`changelog:1.0.0`). */
  isNamed: boolean;
  /** A site URL would allow redirects from old URLs and fetching its images. */
  wantsAddress: boolean;
  entries: ImportEntry[];
  notes: string[];
  /** Counts of skipped parts: `2 sections`, `21 pages`; `notes` have details. */
  leftOut: readonly string[];
  /** Images in the chosen files, by the path entries use. */
  images: ReadonlyMap<string, Uint8Array>;
}

export class ImportProblem extends Error {
  override readonly name = "ImportProblem";
}

/** Pure: the same bytes give the same entries. */
export interface Adapter {
  source: ImportSource;
  /** Score: 0 no match, 1 by format, 2 by content unique to the source. Cheap; never throws. */
  recognizes(files: readonly SourceFile[]): 0 | 1 | 2;
  /** Throws ImportProblem only. `now` decides which dates are in the future. */
  read(files: readonly SourceFile[], options: { now: Date; address?: string }): ReadSource;
}

/** A post ready to send, with its losses. `images`: external URLs in blocks and cover; ./images.ts replaces them once copied. */
export interface PreparedPost {
  post: z.input<typeof import("#contract/imports.ts").importedPost>;
  /** Fingerprint by the previous algorithm, for our own exports. */
  formerFingerprint?: string;
  losses: string[];
  images: string[];
  problem: string | null;
  /** Site generator syntax without a block type, such as `{{< tweet >}}`. */
  siteSyntax?: readonly string[];
  /** For drafts that only lack a date: the sentence in `losses` that says so. */
  undated?: string;
}
