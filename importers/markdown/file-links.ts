import type { ImportEntry } from "../entry.ts";
import { addressOfFile, pathOfFile } from "../images.ts";

/** Where links to files that are imported together lead, by the addresses of the files (../images.ts). */
export type FileLinks = ReadonlyMap<string, string>;

const ending = String.raw`\.(?:md|markdown|mdown|mdx)`;
const link = new RegExp(
  String.raw`(?:\]\(|\]:|\bhref=["']?)[ \t]{0,5}(?:<([^<>\n]{1,400}?${ending})[>#]|([^\s<>"'\]]{1,400}?${ending})(?=[)#\s"'>]|$))`,
  "gi",
);
const folder = "/files";

/** The address of the file that a link in another one names; null for any other link. */
export function fileAt(address: string, base: string): string | null {
  if (!URL.canParse(address, base)) return null;
  const path = pathOfFile(new URL(address, base).href.replace(/[?#].*$/s, ""));
  return path === null ? null : addressOfFile(path);
}

const fileOf = ({ content }: ImportEntry): string | null =>
  content.kind === "markdown" && content.base !== undefined ? fileAt("", content.base) : null;

/**
 * An address below the workspace's `page` for each file that another one links to. At which address a post will be is known when it is written: this
 * one is kept with its former ones, and leads on to it.
 */
export function linksBetween(entries: readonly ImportEntry[], page: string): FileLinks {
  const links = new Map<string, string>();
  const taken = new Set<string>();
  const files = new Set(entries.map(fileOf));
  for (const entry of entries) {
    const own = fileOf(entry);
    if (own === null || entry.content.kind !== "markdown") continue;
    for (const [, bracketed, bare = ""] of entry.content.text.matchAll(link)) {
      const file = fileAt(bracketed ?? bare, own);
      if (file === null || file === own || !files.has(file) || links.has(file)) continue;
      const path = page + folder + new URL(file).pathname;
      const short = path.replace(new RegExp(`${ending}$`, "i"), "");
      links.set(file, taken.has(short) ? path : short);
      taken.add(short);
    }
  }
  return links;
}

/** Whether an address is one that an import has made for a file: no reader has seen it. */
export const isFileLink = (address: string): boolean => /^[a-z]+:\/\/[^/]+\/releases\/files\//.test(address);
