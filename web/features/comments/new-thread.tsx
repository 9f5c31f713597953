import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { classNames } from "../../lib/class-names.ts";
import { createThread } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { storeCommentDraft, newThreadKey } from "./unsaved-comments.ts";
import { type ThreadDraft, draftId, type Comments } from "./use-comments.ts";
import { Panel, Text } from "../../ui/layout.tsx";
import css from "./comments.module.css";

interface NewThreadProps {
  draft: ThreadDraft;
  postId: string;
  comments: Comments;
  members: readonly Member[];
  showQuote: boolean;
  ref?: Ref<HTMLElement>;
}

export function NewThread({ draft, postId, comments, members, showQuote, ref }: NewThreadProps) {
  const { blockId, quote } = draft;
  const { userId, active, setActive, put, closeDraft } = comments;
  const card = useRef<HTMLElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const id = draftId(blockId);
  const isActive = active === id;
  useImperativeHandle(ref, () => card.current!, []);
  useEffect(() => {
    if (!isActive) return;
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [isActive]);

  function cancel() {
    storeCommentDraft(userId, postId, newThreadKey(blockId), { text: "" });
    setActive(null);
    closeDraft(blockId);
    const block = blockId === null ? null : document.querySelector(`.post-editor .ce-block[data-id="${CSS.escape(blockId)}"]`);
    block?.querySelector<HTMLElement>("[contenteditable=true]")?.focus();
  }

  return (
    <Panel
      as="article"
      padding={3}
      gap={3}
      ref={card}
      tabIndex={-1}
      className={classNames(css.card, isActive && css.active)}
      aria-label={`New comment on ${blockId === null ? "the whole post" : quote || "a block"}`}
    >
      {showQuote && blockId !== null && (
        <Text as="blockquote" size="small" tone="muted" lines={3} dir="auto">
          {quote || "Block without text"}
        </Text>
      )}
      <CommentField
        ref={field}
        label={blockId === null ? "Comment on the whole post" : "Comment on this block"}
        send="Comment"
        members={members}
        draftKey={{ userId, postId, place: newThreadKey(blockId), quote }}
        onSend={async (input, key, hasMore) => {
          const thread = await createThread(postId, blockId, quote, input, key);
          put(thread);
          if (hasMore()) return;
          closeDraft(blockId);
          setActive(thread.id);
          requestAnimationFrame(() =>
            requestAnimationFrame(() => document.getElementById(`thread-${thread.id}`)?.focus({ preventScroll: true })),
          );
        }}
        onCancel={cancel}
      />
    </Panel>
  );
}
