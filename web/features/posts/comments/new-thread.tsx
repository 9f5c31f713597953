import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import { classNames } from "../../../lib/class-names.ts";
import { beginThread } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { keepComment, newBeside } from "./kept-comments.ts";
import { type Beginning, beginningId, type Comments } from "./use-comments.ts";
import css from "./thread-card.module.css";

interface NewThreadProps {
  beginning: Beginning;
  postId: string;
  comments: Comments;
  members: readonly Member[];
  quotes: boolean;
  ref?: Ref<HTMLElement>;
}

/** A thread that is being begun. Its field has the focus when somebody asked for it; one that was kept waits. */
export function NewThread({ beginning, postId, comments, members, quotes, ref }: NewThreadProps) {
  const { blockId, quote } = beginning;
  const { userId, active, setActive, put, endBeginning } = comments;
  const card = useRef<HTMLElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const id = beginningId(blockId);
  const wanted = active === id;
  useImperativeHandle(ref, () => card.current!, []);
  useEffect(() => {
    if (!wanted) return;
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [wanted]);

  function cancel() {
    keepComment(userId, postId, newBeside(blockId), { text: "" });
    setActive(null);
    endBeginning(blockId);
    const block = blockId === null ? null : document.querySelector(`.post-editor .ce-block[data-id="${CSS.escape(blockId)}"]`);
    block?.querySelector<HTMLElement>("[contenteditable=true]")?.focus();
  }

  return (
    <article
      ref={card}
      tabIndex={-1}
      className={classNames(css.card, wanted && css.active)}
      aria-label={`New comment on ${blockId === null ? "the whole post" : quote || "a block"}`}
    >
      {quotes && blockId !== null && (
        <blockquote className={css.quote} dir="auto">
          {quote || "A block without words"}
        </blockquote>
      )}
      <CommentField
        ref={field}
        label={blockId === null ? "Comment on the whole post" : "Comment on this block"}
        send="Comment"
        members={members}
        kept={{ userId, postId, place: newBeside(blockId), quote }}
        onSend={async (said, key, hasMore) => {
          const thread = await beginThread(postId, blockId, quote, said, key);
          put(thread);
          if (hasMore()) return; // it begins another one
          endBeginning(blockId);
          setActive(thread.id);
          requestAnimationFrame(() =>
            requestAnimationFrame(() => document.getElementById(`thread-${thread.id}`)?.focus({ preventScroll: true })),
          );
        }}
        onCancel={cancel}
      />
    </article>
  );
}
