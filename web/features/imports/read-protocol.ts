import type { ImportSource, PreparedPost, ReadSource } from "#importers/entry.ts";

/** What the page hands to the worker that reads. */
export interface ReadRequest {
  /** As they were chosen, with their paths; or as another product's server has answered. */
  files: { name: string; content: Blob }[];
  /** Where it is known already; else the files say it. */
  source?: ImportSource;
  /** Where it was asked for. */
  address?: string;
  /** Into which it shall go: pictures that it keeps already need no fetching. */
  workspace: string;
  /** Its public address, where links between files will lead. */
  page?: string;
  /** ISO 8601: decides which dates lie ahead. */
  now: string;
  /** Of `of` workers that read the same this is number `part`, from 0: it makes posts of each `of`th entry. The first also brings the pictures. */
  share?: { part: number; of: number };
}

/** What it says while it reads, in pieces that leave the page at hand. */
export type ReadNews =
  | { kind: "progress"; done: number; of: number | null }
  | ({ kind: "facts" } & Pick<ReadSource, "source" | "name" | "isNamed" | "wantsAddress" | "notes" | "leftOut">)
  | { kind: "posts"; posts: PreparedPost[] }
  | { kind: "pictures"; pictures: [string, Uint8Array<ArrayBuffer>][] }
  | { kind: "problem"; problem: string }
  | { kind: "end" };
