import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import type { Thread } from "#contract/comments.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../lib/class-names.ts";
import { toasts } from "../../lib/toasts.ts";
import { replyToThread, editComment, deleteComment, resolveThread } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { CommentItem } from "./comment-item.tsx";
import { replyKey, readCommentDrafts } from "./unsaved-comments.ts";
import { headId } from "./comments-head.tsx";
import { type Comments, isOpen } from "./use-comments.ts";
import { Panel, Stack, Text } from "../../ui/layout.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import css from "./comments.module.css";

interface ThreadCardProps {
  thread: Thread;
  postId: string;
  comments: Comments;
  canWrite: boolean;
  moderates: boolean;
  members: readonly Member[];
  showQuote: boolean;
  collapsible?: boolean;
  ref?: Ref<HTMLElement>;
}

const shownComments = 4;

export function ThreadCard({
  thread,
  postId,
  comments,
  canWrite,
  moderates,
  members,
  showQuote,
  collapsible = false,
  ref,
}: ThreadCardProps) {
  const { id, quote, block_id, resolved_at, resolved_by_name } = thread;
  const { userId, active, put, reload } = comments;
  const card = useRef<HTMLElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const [expanded, setExpanded] = useState(false);
  const [busy, setBusy] = useState(false);
  useImperativeHandle(ref, () => card.current!, []);
  const [unsent] = useState(() => replyKey(id) in readCommentDrafts(userId, postId));
  const collapsed = collapsible && active !== id && !unsent;
  const shortened = !expanded && thread.comments.length > shownComments + 1;
  const listed = shortened ? [thread.comments[0]!, ...thread.comments.slice(-shownComments + 1)] : thread.comments;

  async function act(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toasts.failure("Couldn't update the comments", error);
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
    <Panel
      as="article"
      padding={3}
      gap={3}
      ref={card}
      id={`thread-${id}`}
      tabIndex={collapsed ? 0 : -1}
      className={classNames(css.card, active === id && css.active)}
      aria-label={`Comments on ${about}`}
    >
      {showQuote && block_id !== null && (
        <Text as="blockquote" size="small" tone="muted" lines={3} dir="auto">
          {quote || "Deleted block"}
        </Text>
      )}
      {collapsed && first && (
        <Stack gap={1} className={css.preview}>
          <Text lines={3} dir="auto">
            <strong>{first.name}</strong> {first.text}
          </Text>
          {more > 0 && (
            <Text size="small" tone="muted">
              {more} more {more === 1 ? "comment" : "comments"}
            </Text>
          )}
        </Stack>
      )}
      {!collapsed && (
        <Stack as="ol" role="list">
          {listed.map((comment, place) => (
            <CommentItemWith
              key={comment.id}
              gap={shortened && place === 1 ? thread.comments.length - listed.length : 0}
              onExpand={() => setExpanded(true)}
            >
              <CommentItem
                comment={comment}
                postId={postId}
                userId={userId}
                canWrite={canWrite}
                moderates={moderates}
                members={members}
                busy={busy}
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
        </Stack>
      )}
      {!isOpen(thread) && (
        <Text size="small" tone="muted">
          Resolved by {resolved_by_name} <RelativeTime at={resolved_at!} />
        </Text>
      )}
      {canWrite && !collapsed && (
        <Stack gap={1} className={css.reply}>
          <CommentField
            ref={field}
            label={isOpen(thread) ? "Reply" : "Reply to reopen"}
            send="Reply"
            collapsible
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
        </Stack>
      )}
    </Panel>
  );
}

function CommentItemWith({ gap, onExpand, children }: { gap: number; onExpand(): void; children: ReactNode }) {
  return (
    <>
      {gap > 0 && (
        <li>
          <Button variant="quiet" size="small" onClick={onExpand}>
            Show {gap} more {gap === 1 ? "comment" : "comments"}
          </Button>
        </li>
      )}
      {children}
    </>
  );
}
