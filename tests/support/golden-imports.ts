import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Adapter, SourceFile } from "#contract/import/entry.ts";
import { prepare } from "#contract/import/to-post.ts";

const folder = new URL("../../contract/import/golden/", import.meta.url);

/** Files of another product, made by hand in its form. */
export const goldenFiles = (source: string, ...names: string[]): SourceFile[] =>
  names.map((name) => ({ name, bytes: new Uint8Array(readFileSync(new URL(`${source}/${name}`, folder))) }));

/** Where what is expected of a file stands. */
export const expectedOf = (source: string, name: string): string => fileURLToPath(new URL(`${source}/${name}.expected.json`, folder));

/** After every date in the golden files that is to be over. */
export const now = new Date("2026-11-23T12:00:00Z");

/** What an adapter reads in golden files and what becomes of each post, as text: everything but how the source wrote it. */
export async function readGolden(adapter: Adapter, names: readonly string[], address?: string): Promise<string> {
  const read = adapter.read(goldenFiles(adapter.source, ...names), { now, ...(address === undefined ? {} : { address }) });
  const posts = await Promise.all(
    read.entries.map(async (entry) => {
      const { post, losses, images, problem } = await prepare(entry, { now });
      const { blocks, fingerprint: _, ...rest } = post;
      const written = (blocks as { type: string; data: unknown }[]).map(({ type, data }) => ({ [type]: data }));
      return { ...rest, losses, images, problem, blocks: written };
    }),
  );
  return `${JSON.stringify({ name: read.name, notes: read.notes, posts }, null, 1)}\n`;
}
