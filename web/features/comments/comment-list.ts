import type { Thread } from "#contract/comments.ts";
import type { BlockPlaces } from "./use-block-places.ts";
import type { ThreadDraft } from "./use-comments.ts";

/** An entry of the comment list. `top`: that of its block in px; null without a block. */
export type Listed = { top: number | null } & ({ kind: "thread"; thread: Thread } | { kind: "draft"; draft: ThreadDraft });

export interface CommentList {
  whole: Listed[];
  beside: Listed[];
  /** On deleted blocks. */
  earlier: Listed[];
}

/** Sorts threads and drafts of threads by their block. Before the editor has rendered (`places` is null), no block counts as deleted. */
export function commentList(threads: readonly Thread[], drafts: readonly ThreadDraft[], places: BlockPlaces | null): CommentList {
  const list: CommentList = { whole: [], beside: [], earlier: [] };
  const put = (blockId: string | null, one: Listed) => {
    if (blockId === null) list.whole.push(one);
    else if (one.top !== null || places === null) list.beside.push(one);
    else list.earlier.push(one);
  };
  const topOf = (blockId: string | null): number | null => (blockId === null ? null : (places?.get(blockId) ?? null));
  for (const thread of threads) put(thread.block_id, { kind: "thread", thread, top: topOf(thread.block_id) });
  for (const draft of drafts) put(draft.blockId, { kind: "draft", draft, top: topOf(draft.blockId) });
  list.beside = list.beside.toSorted((a, b) => (a.top ?? 0) - (b.top ?? 0)); // stable sort: oldest thread of a block first
  return list;
}
