import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import type { Thread } from "#contract/comments.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../lib/class-names.ts";
import { moment } from "../../lib/moment.ts";
import { ApiError } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { replyToThread, editComment, deleteComment, resolveThread } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { CommentItem } from "./comment-item.tsx";
import { replyKey, readCommentDrafts } from "./kept-comments.ts";
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
  quotes: boolean;
  folds?: boolean;
  ref?: Ref<HTMLElement>;
}

const shownComments = 4;

export function ThreadCard({ thread, postId, comments, canWrite, moderates, members, quotes, folds = false, ref }: ThreadCardProps) {
  const { id, quote, block_id, resolved_at, resolved_by_name } = thread;
  const { userId, active, put, reload } = comments;
  const card = useRef<HTMLElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const [whole, setWhole] = useState(false);
  const [busy, setBusy] = useState(false);
  useImperativeHandle(ref, () => card.current!, []);
  const [unsent] = useState(() => replyKey(id) in readCommentDrafts(userId, postId));
  const closed = folds && active !== id && !unsent;
  const folded = !whole && thread.comments.length > shownComments + 1;
  const listed = folded ? [thread.comments[0]!, ...thread.comments.slice(-shownComments + 1)] : thread.comments;

  async function act(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code !== "unauthenticated") toasts.error("Couldn't update the comments", error.message);
      reload();
    } finally {
      setBusy(false);
    }
  }
  const settle = (resolved: boolean) =>
    act(async () => {
      put(await resolveThread(postId, id, resolved));
      if (resolved) document.getElementById(headId)?.focus({ preventScroll: true });
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
          {quote || "Deleted block"}
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
                onChange={async (input) => put(await editComment(postId, id, comment.id, input))}
                onRemove={() =>
                  void act(async () => {
                    await deleteComment(postId, id, comment.id);
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
            label={isOpen(thread) ? "Reply" : "Reply to reopen"}
            send="Reply"
            folds
            members={members}
            draftKey={{ userId, postId, place: replyKey(id) }}
            onSend={async (input, key) => put(await replyToThread(postId, id, input, key))}
          />
          <Button
            variant="quiet"
            size="small"
            icon={isOpen(thread) ? "check" : "undo"}
            busy={busy}
            onClick={() => void settle(isOpen(thread))}
          >
            {isOpen(thread) ? "Resolve" : "Reopen"}
          </Button>
        </div>
      )}
    </article>
  );
}

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
