import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import type { Thread } from "#contract/comments.ts";
import { Button } from "../../../components/button.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { moment } from "../../../lib/moment.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { answerThread, changeComment, removeComment, settleThread } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { CommentItem } from "./comment-item.tsx";
import { answerTo, readKept } from "./kept-comments.ts";
import { headId } from "./comments-head.tsx";
import { type Comments, isOpen } from "./use-comments.ts";
import css from "./thread-card.module.css";

interface ThreadCardProps {
  thread: Thread;
  postId: string;
  comments: Comments;
  canWrite: boolean;
  moderates: boolean;
  members: readonly Member[];
  /** Says what the block said: it is not beside the thread. */
  quotes: boolean;
  /** It stands beside the text: as long as nobody looks at it, only how it begins is shown, so that more of them stand where they belong. */
  folds?: boolean;
  ref?: Ref<HTMLElement>;
}

/** How much of a long thread is shown before somebody wants all of it. */
const shown = 4;

/** One thread: what was said, in its order, and a field for an answer. */
export function ThreadCard({ thread, postId, comments, canWrite, moderates, members, quotes, folds = false, ref }: ThreadCardProps) {
  const { id, quote, block_id, resolved_at, resolved_by_name } = thread;
  const { userId, active, put, reload } = comments;
  const card = useRef<HTMLElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const [whole, setWhole] = useState(false);
  const [busy, setBusy] = useState(false);
  useImperativeHandle(ref, () => card.current!, []);
  const [unsent] = useState(() => answerTo(id) in readKept(userId, postId));
  const closed = folds && active !== id && !unsent;
  const folded = !whole && thread.comments.length > shown + 1;
  const listed = folded ? [thread.comments[0]!, ...thread.comments.slice(-shown + 1)] : thread.comments;

  /** What fails is said, and what is shown is asked for again: a colleague may have been faster. */
  async function act(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "unauthenticated") toasts.error("This did not work", error.message);
      reload();
    } finally {
      setBusy(false);
    }
  }
  const settle = (resolved: boolean) =>
    act(async () => {
      put(await settleThread(postId, id, resolved));
      if (resolved) document.getElementById(headId)?.focus({ preventScroll: true }); // the card goes
      else field.current?.focus();
    });
  const [first] = thread.comments;
  const more = thread.comments.length - 1;
  const about = block_id === null ? "the whole post" : quote || "a block";

  return (
    <article
      ref={card}
      id={`thread-${id}`}
      tabIndex={closed ? 0 : -1}
      className={classNames(css.card, active === id && css.active)}
      aria-label={`Comments on ${about}`}
    >
      {quotes && block_id !== null && (
        <blockquote className={css.quote} dir="auto">
          {quote || "A block that is not there any more"}
        </blockquote>
      )}
      {closed && first && (
        <div className={css.beginning}>
          <p className={css.first} dir="auto">
            <strong>{first.name}</strong> {first.text}
          </p>
          {more > 0 && (
            <p>
              {more} more {more === 1 ? "comment" : "comments"}
            </p>
          )}
        </div>
      )}
      {!closed && (
        <ol role="list" className={css.comments}>
          {listed.map((comment, place) => (
            <CommentItemWith
              key={comment.id}
              gap={folded && place === 1 ? thread.comments.length - listed.length : 0}
              onWhole={() => setWhole(true)}
            >
              <CommentItem
                comment={comment}
                postId={postId}
                userId={userId}
                canWrite={canWrite}
                moderates={moderates}
                members={members}
                onChange={async (said) => put(await changeComment(postId, id, comment.id, said))}
                onRemove={() =>
                  void act(async () => {
                    await removeComment(postId, id, comment.id);
                    reload();
                  })
                }
              />
            </CommentItemWith>
          ))}
        </ol>
      )}
      {!isOpen(thread) && (
        <p className={css.resolved}>
          Resolved by {resolved_by_name}, {moment(resolved_at!)}
        </p>
      )}
      {canWrite && !closed && (
        <div className={css.foot}>
          <CommentField
            ref={field}
            label={isOpen(thread) ? "Answer" : "Answer, which opens it again"}
            send="Answer"
            folds
            members={members}
            kept={{ userId, postId, place: answerTo(id) }}
            onSend={async (said, key) => put(await answerThread(postId, id, said, key))}
          />
          <Button
            variant="quiet"
            size="small"
            icon={isOpen(thread) ? "check" : "undo"}
            busy={busy}
            onClick={() => void settle(isOpen(thread))}
          >
            {isOpen(thread) ? "Resolve" : "Open again"}
          </Button>
        </div>
      )}
    </article>
  );
}

/** Before a comment, the way to those that are left out. */
function CommentItemWith({ gap, onWhole, children }: { gap: number; onWhole(): void; children: ReactNode }) {
  return (
    <>
      {gap > 0 && (
        <li>
          <Button variant="quiet" size="small" onClick={onWhole}>
            Show {gap} more {gap === 1 ? "comment" : "comments"}
          </Button>
        </li>
      )}
      {children}
    </>
  );
}
