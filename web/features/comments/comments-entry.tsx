import type { Ref } from "react";
import type { Listed } from "./comment-list.ts";
import type { Member } from "./comment-field.tsx";
import { NewThread } from "./new-thread.tsx";
import { ThreadCard } from "./thread-card.tsx";
import { draftId, type Comments } from "./use-comments.ts";

export interface EntryProps {
  postId: string;
  comments: Comments;
  members: readonly Member[];
  canWrite: boolean;
  moderates: boolean;
}

export function CommentsEntry({
  one,
  showQuote,
  collapsible,
  ref,
  ...props
}: EntryProps & { one: Listed; showQuote: boolean; collapsible?: boolean; ref?: Ref<HTMLElement> }) {
  return (
    <div onFocus={() => props.comments.setActive(entryId(one))}>
      {one.kind === "thread" ? (
        <ThreadCard ref={ref} thread={one.thread} showQuote={showQuote} collapsible={collapsible} {...props} />
      ) : (
        <NewThread ref={ref} draft={one.draft} showQuote={showQuote} {...props} />
      )}
    </div>
  );
}

export const entryId = (one: Listed): string => (one.kind === "thread" ? one.thread.id : draftId(one.draft.blockId));
