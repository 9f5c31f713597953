import { importBatchSize } from "#contract/imports.ts";

/** Well below contract/body-limits.ts (2 MB, 80,000 values), and within Postgres' statement timeout of eight seconds. */
export const batchMaxBytes = 600_000;
export const batchMaxValues = 30_000;

const momentOf = ({ published_at, publish_at }: Dated): number =>
  published_at ? Date.parse(published_at) : publish_at ? Date.parse(publish_at) : Number.POSITIVE_INFINITY;

interface Dated {
  published_at?: string | null;
  publish_at?: string | null;
}

/** Oldest first, so an interrupted import has no gaps. Stable. */
export function oldestFirst<Item extends { post: Dated }>(posts: readonly Item[]): Item[] {
  return posts.toSorted((one, other) => {
    const [earlier, later] = [momentOf(one.post), momentOf(other.post)];
    return earlier === later ? 0 : earlier - later;
  });
}

/** Latest first, unpublished ones before. Stable. */
export function latestFirst<Item extends { post: Dated }>(posts: readonly Item[]): Item[] {
  return oldestFirst(posts.toReversed()).reverse();
}

export function* inBatches<Post>(posts: Iterable<Post>): Generator<Post[]> {
  let batch: Post[] = [];
  let [bytes, values] = [0, 0];
  for (const post of posts) {
    const size = sizeOf(post);
    const isFull = batch.length === importBatchSize || bytes + size.bytes > batchMaxBytes || values + size.values > batchMaxValues;
    if (batch.length > 0 && isFull) {
      yield batch;
      batch = [];
      [bytes, values] = [0, 0];
    }
    batch.push(post);
    bytes += size.bytes;
    values += size.values;
  }
  if (batch.length > 0) yield batch;
}

const encoder = new TextEncoder();

function sizeOf(post: unknown): { bytes: number; values: number } {
  return { bytes: encoder.encode(JSON.stringify(post)).length, values: valuesIn(post) };
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + valuesIn(part), 1);
}
