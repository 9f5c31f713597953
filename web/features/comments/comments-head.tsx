import type { Ref } from "react";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { type Comments, isOpen } from "./use-comments.ts";
import css from "./comments-head.module.css";

/** Focus target when the focused thread disappears. */
export const headId = "comments-head";

export type Filter = "open" | "resolved";

interface CommentsHeadProps {
  comments: Comments;
  filter: Filter;
  onFilter(filter: Filter): void;
  canWrite: boolean;
  onClose?(): void;
  ref?: Ref<HTMLDivElement>;
}

export function CommentsHead({ comments, filter, onFilter, canWrite, onClose, ref }: CommentsHeadProps) {
  const { threads, stale, reload, startThread } = comments;
  const open = threads.filter(isOpen).length;
  return (
    <div ref={ref} className={css.head}>
      <div className={css.row}>
        <h2 id={headId} tabIndex={-1} className={onClose ? css.title : "visually-hidden"}>
          Comments
        </h2>
        {onClose && (
          <Button variant="quiet" size="small" icon="times" aria-label="Close comments" className={css.close} onClick={onClose} />
        )}
        <ChoiceGroup
          legend="Show threads"
          hideLegend
          choices={[
            { value: "open", label: `Open ${open}` },
            { value: "resolved", label: `Resolved ${threads.length - open}` },
          ]}
          value={filter}
          onChange={onFilter}
        />
      </div>
      {stale && (
        <p role="status" className={css.stale}>
          Couldn't load new comments.{" "}
          <Button variant="quiet" size="small" onClick={reload}>
            Try again
          </Button>
        </p>
      )}
      {canWrite && (
        <Button variant="quiet" size="small" icon="plus" className={css.whole} onClick={() => startThread({ blockId: null, quote: "" })}>
          Comment on the whole post
        </Button>
      )}
    </div>
  );
}

export function NoComments({ filter, canWrite, beside }: { filter: Filter; canWrite: boolean; beside: boolean }) {
  return (
    <p className={css.none}>
      {filter === "resolved"
        ? "No resolved comments yet."
        : canWrite
          ? `No comments yet. ${beside ? "Hover a block and click the comment icon, or press Ctrl+Alt+M." : "Tap a block, then tap the comment icon."}`
          : "No comments yet."}
    </p>
  );
}
