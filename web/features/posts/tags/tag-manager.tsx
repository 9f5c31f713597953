import { useMemo, useState } from "react";
import { defaultTags, type TagColour } from "#contract/tags.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading, Skeleton } from "../../../ui/skeleton.tsx";
import { SearchInput } from "../../../ui/search-input.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { NewTagForm } from "./new-tag-form.tsx";
import { TagRow } from "./tag-row.tsx";
import { choosableTags, tagsNamed } from "./tags.ts";
import { useTagChanges, useTags } from "./use-tags.ts";
import css from "./tag-manager.module.css";

const manyTags = 12;

interface TagListProps {
  workspaceId: string;
  canWrite: boolean;
}

export function TagManager({ onClose, ...list }: TagListProps & { onClose(): void }) {
  return (
    <Dialog open title="Manage tags" width="36rem" onClose={onClose}>
      <p className={css.note}>Changes apply to every post, including published ones.</p>
      <TagList {...list} />
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
      toasts.error("Couldn't create the tag", failure instanceof ApiError ? failure.message : undefined);
      return false;
    }
  }

  return (
    <div>
      {!loaded && error && <Failure title="Couldn't load tags" text={error.message} onRetry={() => void reload()} />}
      {!loaded && !error && (
        <Loading label="Loading tags...">
          {[1, 2, 3, 4].map((row) => (
            <div key={row} className={css.row}>
              <Skeleton width="6rem" height="1.625rem" />
            </div>
          ))}
        </Loading>
      )}
      {loaded && many && (
        <SearchInput className={css.search} label="Search tags" value={term} onChange={(event) => setTerm(event.target.value)} />
      )}
      {loaded && shown.length === 0 && (
        <p role="status" className={css.note}>
          No tags found
        </p>
      )}
      {loaded && (
        <ul role="list" aria-label="Tags" className={css.list}>
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
        </ul>
      )}
      {loaded && canWrite && <NewTagForm onCreate={onCreate} />}
    </div>
  );
}
