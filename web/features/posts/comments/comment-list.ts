import type { Thread } from "#contract/comments.ts";
import type { BlockPlaces } from "./use-block-places.ts";
import type { Beginning } from "./use-comments.ts";

/** What stands in the list of comments. `top`: of its block; null: of none that is there. */
export type Listed = { top: number | null } & ({ kind: "thread"; thread: Thread } | { kind: "beginning"; beginning: Beginning });

export interface CommentList {
  /** Of the whole post. */
  whole: Listed[];
  /** In the order of the blocks. */
  beside: Listed[];
  /** Of blocks that are gone. */
  earlier: Listed[];
}

/** Threads, and those that are being begun, in the order of the text. While no text stands yet (`places` null) nothing is taken for gone. */
export function commentList(threads: readonly Thread[], beginnings: readonly Beginning[], places: BlockPlaces | null): CommentList {
  const list: CommentList = { whole: [], beside: [], earlier: [] };
  const put = (blockId: string | null, one: Listed) => {
    if (blockId === null) list.whole.push(one);
    else if (one.top !== null || places === null) list.beside.push(one);
    else list.earlier.push(one);
  };
  const topOf = (blockId: string | null): number | null => (blockId === null ? null : (places?.get(blockId) ?? null));
  for (const thread of threads) put(thread.block_id, { kind: "thread", thread, top: topOf(thread.block_id) });
  for (const beginning of beginnings) put(beginning.blockId, { kind: "beginning", beginning, top: topOf(beginning.blockId) });
  list.beside = list.beside.toSorted((a, b) => (a.top ?? 0) - (b.top ?? 0)); // stable: of one block the oldest first
  return list;
}
