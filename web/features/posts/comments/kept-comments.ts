import { readStored, writeStored } from "../../../lib/storage.ts";

/** A comment that is not sent yet. `quote`: of a new thread, what its block says. */
export interface KeptComment {
  text: string;
  quote?: string;
}
export type KeptComments = Readonly<Record<string, KeptComment>>;

/** What a comment belongs to. */
export const newBeside = (blockId: string | null): string => `new:${blockId ?? ""}`;
export const answerTo = (threadId: string): string => `answer:${threadId}`;
export const changeOf = (commentId: string): string => `change:${commentId}`;

const keyOf = (userId: string, postId: string): string => `tc:comments:${userId}:${postId}`;

/** What this person has written beside a post in this browser and not sent: it is there again after a reload. */
export function readKept(userId: string, postId: string): KeptComments {
  try {
    const kept: unknown = JSON.parse(readStored("local", keyOf(userId, postId)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    const comments = Object.entries(kept as Record<string, KeptComment | undefined>);
    return Object.fromEntries(comments.filter((entry): entry is [string, KeptComment] => typeof entry[1]?.text === "string"));
  } catch {
    return {};
  }
}

/** Keeps one, or with a blank text forgets it. Read afresh: another tab may have kept others. */
export function keepComment(userId: string, postId: string, place: string, { text, quote }: KeptComment): void {
  const { [place]: _, ...others } = readKept(userId, postId);
  const after = text.trim() === "" ? others : { ...others, [place]: { text, ...(quote && { quote }) } };
  writeStored("local", keyOf(userId, postId), Object.keys(after).length === 0 ? null : JSON.stringify(after));
}
