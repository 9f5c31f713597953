import type { Thread } from "#contract/comments.ts";
import { commentList, type Listed } from "./comment-list.ts";
import { CommentsEntry, entryId, type EntryProps } from "./comments-entry.tsx";
import { CommentsHead, type Filter, NoComments } from "./comments-head.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import type { BlockPlaces } from "./use-block-places.ts";
import { Stack, Text } from "../../ui/layout.tsx";
import css from "./comments.module.css";

export interface CommentsListProps extends EntryProps {
  listed: readonly Thread[];
  places: BlockPlaces | null;
  filter: Filter;
  onFilter(filter: Filter): void;
}

export function CommentsSheet({ listed, places, filter, onFilter, onClose, ...entry }: CommentsListProps & { onClose: () => void }) {
  const { comments, canWrite } = entry;
  const list = commentList(listed, filter === "open" ? comments.drafts : [], places);
  const entries = (items: readonly Listed[]) => items.map((one) => <CommentsEntry key={entryId(one)} one={one} showQuote {...entry} />);
  return (
    <Sheet title="Comments" onClose={onClose}>
      <Stack gap={3} className={css.sheet}>
        <CommentsHead comments={comments} filter={filter} onFilter={onFilter} canWrite={canWrite} />
        {entries(list.whole)}
        {entries(list.beside)}
        {list.earlier.length > 0 && (
          <Text as="h3" size="small" tone="muted">
            On deleted blocks
          </Text>
        )}
        {entries(list.earlier)}
        {list.whole.length + list.beside.length + list.earlier.length === 0 && (
          <NoComments filter={filter} canWrite={canWrite} beside={false} />
        )}
      </Stack>
    </Sheet>
  );
}
