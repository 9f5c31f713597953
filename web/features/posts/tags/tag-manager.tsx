import { useMemo, useState } from "react";
import { defaultTags, type TagColour } from "#contract/tags.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/empty-state.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { SearchInput } from "../../../ui/search-input.tsx";
import { toasts } from "../../../lib/toasts.ts";
import { NewTagForm } from "./new-tag-form.tsx";
import { TagRow } from "./tag-row.tsx";
import { choosableTags, tagsNamed } from "./tags.ts";
import { useTagChanges, useTags } from "./use-tags.ts";
import css from "./tags.module.css";

const manyTags = 12;

interface TagListProps {
  workspaceId: string;
  canWrite: boolean;
}

export function TagManager({ onClose, ...list }: TagListProps & { onClose(): void }) {
  return (
    <Dialog open title="Manage tags" width="36rem" onClose={onClose}>
      <Stack gap={3}>
        <Text tone="muted">Changes apply to every post, including published ones.</Text>
        <TagList {...list} />
      </Stack>
    </Dialog>
  );
}

export function TagList({ workspaceId, canWrite }: TagListProps) {
  const { tags: offered, carried, loaded, error, reload, create } = useTags(workspaceId);
  const changes = useTagChanges(workspaceId);
  const [open, setOpen] = useState<string | null>(null);
  const [term, setTerm] = useState("");
  const posts = useMemo(() => new Map(carried.map(({ key, posts: count }) => [key, count])), [carried]);
  const all = useMemo(
    () =>
      choosableTags(
        offered,
        carried.map(({ key }) => key),
      ),
    [offered, carried],
  );
  const many = all.length > manyTags;
  const shown = many ? tagsNamed(all, term) : all;

  async function onCreate(name: string, colour: TagColour): Promise<boolean> {
    try {
      await create(name, colour);
      return true;
    } catch (failure) {
      toasts.failure("Couldn't create the tag", failure);
      return false;
    }
  }

  return (
    <Stack gap={3}>
      {!loaded && error && <Failure title="Couldn't load tags" text={error.message} onRetry={() => void reload()} />}
      {!loaded && !error && (
        <Loading label="Loading tags...">
          {[1, 2, 3, 4].map((row) => (
            <Row key={row} className={css.row}>
              <Skeleton width="6rem" height="1.625rem" />
            </Row>
          ))}
        </Loading>
      )}
      {loaded && many && <SearchInput label="Search tags" value={term} onChange={(event) => setTerm(event.target.value)} />}
      {loaded && shown.length === 0 && (
        <Text role="status" tone="muted">
          No tags found
        </Text>
      )}
      {loaded && (
        <Stack as="ul" gap={0} divided role="list" aria-label="Tags">
          {shown.map((tag) => (
            <TagRow
              key={tag.key}
              tag={tag}
              posts={posts.get(tag.key) ?? 0}
              others={all.filter(({ key }) => key !== tag.key)}
              isDefault={defaultTags.some(({ key }) => key === tag.key)}
              canWrite={canWrite}
              open={open === tag.key}
              changes={changes}
              onOpen={(isOpen) => setOpen(isOpen ? tag.key : null)}
            />
          ))}
        </Stack>
      )}
      {loaded && canWrite && <NewTagForm onCreate={onCreate} />}
    </Stack>
  );
}
