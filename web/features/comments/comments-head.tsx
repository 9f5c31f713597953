import type { Ref } from "react";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { type Comments, isOpen } from "./use-comments.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./comments.module.css";

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
    <Stack ref={ref} gap={1} start className={css.head}>
      <Row className={css.row}>
        <h2 id={headId} tabIndex={-1} className={onClose ? undefined : "visually-hidden"}>
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
      </Row>
      {stale && (
        <Text role="status" size="small" tone="muted">
          Couldn't load new comments.{" "}
          <Button variant="quiet" size="small" onClick={reload}>
            Try again
          </Button>
        </Text>
      )}
      {canWrite && (
        <Button
          variant="quiet"
          size="small"
          icon="plus"
          className={css.wholePost}
          onClick={() => startThread({ blockId: null, quote: "" })}
        >
          Comment on the whole post
        </Button>
      )}
    </Stack>
  );
}

export function NoComments({ filter, canWrite, beside }: { filter: Filter; canWrite: boolean; beside: boolean }) {
  return (
    <Text size="small" tone="muted">
      {filter === "resolved"
        ? "No resolved comments yet."
        : canWrite
          ? `No comments yet. ${beside ? "Hover a block and click the comment icon, or press Ctrl+Alt+M." : "Tap a block, then tap the comment icon."}`
          : "No comments yet."}
    </Text>
  );
}
