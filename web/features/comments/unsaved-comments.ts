import { readStored, writeStored } from "../../lib/storage.ts";

/** An unsent comment. `quote`: the block's text, for a new thread. */
export interface CommentDraft {
  text: string;
  quote?: string;
}
export type CommentDrafts = Readonly<Record<string, CommentDraft>>;

export const newThreadKey = (blockId: string | null): string => `new:${blockId ?? ""}`;
export const replyKey = (threadId: string): string => `answer:${threadId}`;
export const editKey = (commentId: string): string => `change:${commentId}`;

const keyOf = (userId: string, postId: string): string => `tc:comments:${userId}:${postId}`;

export function readCommentDrafts(userId: string, postId: string): CommentDrafts {
  try {
    const stored: unknown = JSON.parse(readStored("local", keyOf(userId, postId)) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    const comments = Object.entries(stored as Record<string, CommentDraft | undefined>);
    return Object.fromEntries(comments.filter((entry): entry is [string, CommentDraft] => typeof entry[1]?.text === "string"));
  } catch {
    return {};
  }
}

/** Stores a draft; a blank text removes it. Reads storage again first: another tab may have written. */
export function storeCommentDraft(userId: string, postId: string, place: string, { text, quote }: CommentDraft): void {
  const { [place]: _, ...others } = readCommentDrafts(userId, postId);
  const drafts = text.trim() === "" ? others : { ...others, [place]: { text, ...(quote && { quote }) } };
  writeStored("local", keyOf(userId, postId), Object.keys(drafts).length === 0 ? null : JSON.stringify(drafts));
}
