import { type ImportedEntry, importEndpoints } from "#contract/imports.ts";
import { call } from "../../lib/api-client.ts";

/**
 * Posts that an import made and that are there still after it was taken back, because somebody has changed them. Of those whose place it took the
 * server does not say which are as before.
 */
export async function stayedPosts(workspaceId: string, id: string): Promise<(ImportedEntry & { post_id: string })[]> {
  const { entries } = await call(importEndpoints.read, { params: { workspaceId, id } });
  return entries.flatMap((entry) => (entry.outcome === "made" && entry.post_id !== null ? { ...entry, post_id: entry.post_id } : []));
}

const namedAtMost = 3;

/** Titles in a sentence, ` (“A”, “B” and 2 more)`; "" where none is known. */
export function stayedWords(posts: readonly Pick<ImportedEntry, "title">[], count: number): string {
  const names = posts.slice(0, namedAtMost).map(({ title }) => `“${title}”`);
  if (names.length === 0) return "";
  const more = count - names.length;
  return ` (${names.join(", ")}${more > 0 ? ` and ${more.toLocaleString()} more` : ""})`;
}
