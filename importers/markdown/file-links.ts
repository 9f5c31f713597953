import type { ImportEntry } from "../entry.ts";
import { addressOfFile, pathOfFile } from "../images.ts";

export type FileLinks = ReadonlyMap<string, string>;

const ending = String.raw`\.(?:md|markdown|mdown|mdx)`;
const link = new RegExp(
  String.raw`(?:\]\(|\]:|\bhref=["']?)[ \t]{0,5}(?:<([^<>\n]{1,400}?${ending})[>#]|([^\s<>"'\]]{1,400}?${ending})(?=[)#\s"'>]|$))`,
  "gi",
);
const folder = "/files";

export function fileAt(address: string, base: string): string | null {
  if (!URL.canParse(address, base)) return null;
  const path = pathOfFile(new URL(address, base).href.replace(/[?#].*$/s, ""));
  return path === null ? null : addressOfFile(path);
}

const fileOf = ({ content }: ImportEntry): string | null =>
  content.kind === "markdown" && content.base !== undefined ? fileAt("", content.base) : null;

/** A placeholder URL below `page` per linked file, stored as a former URL of the post, which redirects to its final slug. */
export function linksBetween(entries: readonly ImportEntry[], page: string): FileLinks {
  const links = new Map<string, string>();
  const usedNames = new Set<string>();
  const files = new Set(entries.map(fileOf));
  for (const entry of entries) {
    const own = fileOf(entry);
    if (own === null || entry.content.kind !== "markdown") continue;
    for (const [, bracketed, bare = ""] of entry.content.text.matchAll(link)) {
      const file = fileAt(bracketed ?? bare, own);
      if (file === null || file === own || !files.has(file) || links.has(file)) continue;
      const path = page + folder + new URL(file).pathname;
      const short = path.replace(new RegExp(`${ending}$`, "i"), "");
      links.set(file, usedNames.has(short) ? path : short);
      usedNames.add(short);
    }
  }
  return links;
}

/** True for such a placeholder, which no reader has seen. */
export const isFileLink = (address: string): boolean => /^[a-z]+:\/\/[^/]+\/releases\/files\//.test(address);
