import { useRef, useState } from "react";
import type { Comment } from "#contract/comments.ts";
import { Avatar } from "../../../components/avatar.tsx";
import { Button } from "../../../components/button.tsx";
import { keepFocus } from "../../../components/return-focus.ts";
import { moment } from "../../../lib/moment.ts";
import type { Said } from "./comment-calls.ts";
import { CommentField, type Member } from "./comment-field.tsx";
import { changeOf, readKept } from "./kept-comments.ts";
import { piecesOf } from "./mentions.ts";
import css from "./comment-item.module.css";

interface CommentItemProps {
  comment: Comment;
  postId: string;
  userId: string;
  canWrite: boolean;
  /** Deletes what others have said, too. */
  moderates: boolean;
  members: readonly Member[];
  onChange(said: Said): Promise<void>;
  onRemove(): void;
}

/** What one person said, and when. */
export function CommentItem({ comment, postId, userId, canWrite, moderates, members, onChange, onRemove }: CommentItemProps) {
  const { id, name, avatar_url, text, mentions, created_at, edited_at, user_id } = comment;
  const own = user_id === userId;
  const [changing, setChanging] = useState(() => own && canWrite && changeOf(id) in readKept(userId, postId));
  const [removing, setRemoving] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const field = useRef<{ focus(): void }>(null);
  const change = (wanted: boolean) => {
    if (wanted) requestAnimationFrame(() => field.current?.focus());
    else if (item.current?.contains(document.activeElement)) keepFocus(); // the field goes
    setChanging(wanted);
  };
  const mayChange = own && canWrite;
  const mayRemove = canWrite && (own || moderates);
  return (
    <li ref={item} className={css.comment}>
      <div className={css.head}>
        <Avatar name={name} src={avatar_url} />
        <div className={css.who}>
          <span className={css.name} dir="auto">
            {name}
          </span>
          {user_id === null && <span className={css.visitor}>By a preview link</span>}
          <span className={css.when}>
            <time dateTime={created_at}>{moment(created_at)}</time>
            {edited_at && <span title={moment(edited_at)}> · changed</span>}
          </span>
        </div>
      </div>
      {changing ? (
        <CommentField
          ref={field}
          label="Your comment"
          send="Save"
          initial={text}
          members={members}
          kept={{ userId, postId, place: changeOf(id) }}
          onSend={async (said, _key, hasMore) => {
            await onChange(said);
            if (!hasMore()) change(false);
          }}
          onCancel={() => change(false)}
        />
      ) : (
        <p className={css.text} dir="auto">
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
        </p>
      )}
      {!changing && (mayChange || mayRemove) && (
        <div className={css.actions} role="group" aria-label={`The comment of ${name}`}>
          {removing ? (
            <>
              <span>Delete this comment for good?</span>
              <Button variant="quietDanger" size="small" autoFocus onClick={onRemove}>
                Delete
              </Button>
              <Button variant="quiet" size="small" onClick={() => setRemoving(false)}>
                Keep
              </Button>
            </>
          ) : (
            <>
              {mayChange && (
                <button type="button" className={css.action} onClick={() => change(true)}>
                  Change
                </button>
              )}
              {mayRemove && (
                <button type="button" className={css.action} onClick={() => setRemoving(true)}>
                  Delete
                </button>
              )}
            </>
          )}
        </div>
      )}
    </li>
  );
}
