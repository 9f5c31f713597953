import { IconButton } from "../../ui/icon-button.tsx";
import { type Comments, isOpen } from "./use-comments.ts";
import css from "./comments-button.module.css";

export function CommentsButton({ comments }: { comments: Comments }) {
  const { postId, threads, open, setOpen } = comments;
  if (postId === null) return null;
  const count = threads.filter(isOpen).length;
  return (
    <span className={css.anchor}>
      <IconButton
        icon="comments"
        label={count === 0 ? "Comments" : `Comments: ${count} open`}
        aria-expanded={open}
        className={open ? css.open : undefined}
        onClick={() => setOpen(!open)}
      />
      {count > 0 && (
        <span className={css.count} aria-hidden>
          {count > 99 ? "99+" : count}
        </span>
      )}
    </span>
  );
}
