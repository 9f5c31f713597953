import type { ImportEntry } from "./entry.ts";

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
