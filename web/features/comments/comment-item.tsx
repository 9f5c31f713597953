import { useRef, useState } from "react";
import type { Comment } from "#contract/comments.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { keepFocus } from "../../ui/return-focus.ts";
import { moment } from "../../lib/moment.ts";
import type { CommentInput } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { editKey, readCommentDrafts, storeCommentDraft } from "./unsaved-comments.ts";
import { piecesOf } from "./mentions.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import css from "./comments.module.css";

interface CommentItemProps {
  comment: Comment;
  postId: string;
  userId: string;
  canWrite: boolean;
  /** Can delete others' comments. */
  moderates: boolean;
  members: readonly Member[];
  busy: boolean;
  onChange(input: CommentInput): Promise<void>;
  onRemove(): void;
}

export function CommentItem({ comment, postId, userId, canWrite, moderates, members, busy, onChange, onRemove }: CommentItemProps) {
  const { id, name, avatar_url, text, mentions, created_at, edited_at, user_id } = comment;
  const own = user_id === userId;
  const [editing, setEditing] = useState(() => own && canWrite && editKey(id) in readCommentDrafts(userId, postId));
  const [removing, setRemoving] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const setEditMode = (next: boolean) => {
    if (next) requestAnimationFrame(() => field.current?.focus());
    else if (item.current?.contains(document.activeElement)) keepFocus();
    setEditing(next);
  };
  /** Also people who left, or while the members are loading: an edit keeps its mentions. */
  const mentioned = mentions.map(({ user_id, name }) => ({ user_id, full_name: name, avatar_url: null }));
  const canEdit = own && canWrite;
  const canDelete = canWrite && (own || moderates);
  return (
    <Stack as="li" ref={item} gap={1}>
      <Row nowrap>
        <Avatar name={name} src={avatar_url} />
        <div className={css.byline}>
          <Text as="strong" strong dir="auto">
            {name}
          </Text>
          {user_id === null && <span className={css.visitor}>Via preview link</span>}
          <RelativeTime at={created_at} />
          {edited_at && (
            <Text as="span" size="small" tone="muted" title={moment(edited_at)}>
              · edited
            </Text>
          )}
        </div>
      </Row>
      {editing ? (
        <CommentField
          ref={field}
          label="Your comment"
          send="Save"
          initial={text}
          members={[...members, ...mentioned.filter(({ user_id }) => !members.some((one) => one.user_id === user_id))]}
          draftKey={{ userId, postId, place: editKey(id) }}
          onSend={async (input, _key, hasMore) => {
            await onChange(input);
            if (!hasMore()) setEditMode(false);
          }}
          onCancel={() => {
            storeCommentDraft(userId, postId, editKey(id), { text: "" });
            setEditMode(false);
          }}
        />
      ) : (
        <Text className={css.text} dir="auto">
          {piecesOf(
            text,
            mentions.map(({ name }) => name),
          ).map((piece, place) =>
            piece.names ? (
              <strong key={place} className={css.mention}>
                {piece.text}
              </strong>
            ) : (
              piece.text
            ),
          )}
        </Text>
      )}
      {!editing && (canEdit || canDelete) && (
        <Row gap={0} className={css.actions} role="group" aria-label={`Comment by ${name}`}>
          {removing ? (
            <>
              <span>Permanently delete this comment?</span>
              <Button variant="quietDanger" size="small" autoFocus busy={busy} onClick={onRemove}>
                Delete
              </Button>
              <Button variant="quiet" size="small" onClick={() => setRemoving(false)}>
                Cancel
              </Button>
            </>
          ) : (
            <>
              {canEdit && (
                <Button variant="quiet" size="small" onClick={() => setEditMode(true)}>
                  Edit
                </Button>
              )}
              {canDelete && (
                <Button variant="quiet" size="small" onClick={() => setRemoving(true)}>
                  Delete
                </Button>
              )}
            </>
          )}
        </Row>
      )}
    </Stack>
  );
}
