import type { Ref } from "react";
import { Button } from "../../../components/button.tsx";
import { ChoiceGroup } from "../../../components/choice-group.tsx";
import { type Comments, isOpen } from "./use-comments.ts";
import css from "./comments-head.module.css";

/** The head of the comments takes the focus when the thread that had it goes. */
export const headId = "comments-head";

export type Filter = "open" | "resolved";

interface CommentsHeadProps {
  comments: Comments;
  filter: Filter;
  onFilter(filter: Filter): void;
  canWrite: boolean;
  /** Of the column; a sheet has a cross of its own. */
  onClose?(): void;
  ref?: Ref<HTMLDivElement>;
}

/** Which threads are shown, and the way to one about the whole post. */
export function CommentsHead({ comments, filter, onFilter, canWrite, onClose, ref }: CommentsHeadProps) {
  const { threads, stale, reload, begin } = comments;
  const open = threads.filter(isOpen).length;
  return (
    <div ref={ref} className={css.head}>
      <div className={css.row}>
        <h2 id={headId} tabIndex={-1} className={onClose ? css.title : "visually-hidden"}>
          Comments
        </h2>
        {onClose && (
          <Button variant="quiet" size="small" icon="times" aria-label="Close the comments" className={css.close} onClick={onClose} />
        )}
        <ChoiceGroup
          legend="Show threads that are"
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
          Newer comments could not be loaded.{" "}
          <Button variant="quiet" size="small" onClick={reload}>
            Try again
          </Button>
        </p>
      )}
      {canWrite && (
        <Button variant="quiet" size="small" icon="plus" className={css.whole} onClick={() => begin({ blockId: null, quote: "" })}>
          Comment on the whole post
        </Button>
      )}
    </div>
  );
}

/** Where there is nothing to show. */
export function NoComments({ filter, canWrite, beside }: { filter: Filter; canWrite: boolean; beside: boolean }) {
  return (
    <p className={css.none}>
      {filter === "resolved"
        ? "Nothing is resolved yet."
        : canWrite
          ? `Nobody has said anything yet. ${beside ? "Move to a block and press the sign beside it, or Ctrl+Alt+M." : "Put the caret into a block and press the sign beside it."}`
          : "Nobody has said anything yet."}
    </p>
  );
}
