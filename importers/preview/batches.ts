import { importBatchSize } from "#contract/imports.ts";

/** Well below what a call may carry (contract/body-limits.ts: 2 MB and 80,000 values), and what Postgres works on for less than its eight seconds at worst. */
export const batchMaxBytes = 600_000;
export const batchMaxValues = 30_000;

/** When it was news; what was not yet comes last. */
const momentOf = ({ published_at, publish_at }: Dated): number =>
  published_at ? Date.parse(published_at) : publish_at ? Date.parse(publish_at) : Number.POSITIVE_INFINITY;

interface Dated {
  published_at?: string | null;
  publish_at?: string | null;
}

/** Oldest first, so that what stops in the middle has no holes. Of the same moment, as they came. */
export function oldestFirst<Item extends { post: Dated }>(posts: readonly Item[]): Item[] {
  return posts.toSorted((one, other) => {
    const [earlier, later] = [momentOf(one.post), momentOf(other.post)];
    return earlier === later ? 0 : earlier - later;
  });
}

/** As readers see them: latest first, and before it what is no news yet. Of the same moment, as they came. */
export function latestFirst<Item extends { post: Dated }>(posts: readonly Item[]): Item[] {
  return oldestFirst(posts.toReversed()).reverse();
}

/** Posts in batches that one call can carry, made as they are needed. */
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
