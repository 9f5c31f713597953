import { useMemo, useState } from "react";
import { defaultTags, type TagColour } from "#contract/tags.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { Failure } from "../../../components/failure.tsx";
import { Loading, Skeleton } from "../../../components/skeleton.tsx";
import { SearchInput } from "../../../components/search-input.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { NewTagForm } from "./new-tag-form.tsx";
import { TagRow } from "./tag-row.tsx";
import { choosableTags, tagsNamed } from "./tags.ts";
import { useTagChanges, useTags } from "./use-tags.ts";
import css from "./tag-manager.module.css";

const manyTags = 12; // more than these are looked for

interface TagManagerProps {
  workspaceId: string;
  canWrite: boolean;
  onClose(): void;
}

/** Every tag of a workspace: renamed, recoloured, merged, deleted, with the posts that carry it. */
export function TagManager({ workspaceId, canWrite, onClose }: TagManagerProps) {
  const { tags: offered, carried, known, error, reload, create } = useTags(workspaceId);
  const changes = useTagChanges(workspaceId);
  const [open, setOpen] = useState<string | null>(null); // one row at a time is worked on
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
      toasts.error("The tag was not created", failure instanceof ApiError ? failure.message : undefined);
      return false;
    }
  }

  return (
    <Dialog open title="Manage tags" width="36rem" onClose={onClose}>
      <p className={css.note}>What changes here changes in the posts too, also on the public page.</p>
      {!known && error && <Failure title="The tags could not be read" text={error.message} onRetry={() => void reload()} />}
      {!known && !error && (
        <Loading label="Loading tags...">
          {[1, 2, 3, 4].map((row) => (
            <div key={row} className={css.row}>
              <Skeleton width="6rem" height="1.625rem" />
            </div>
          ))}
        </Loading>
      )}
      {known && many && (
        <SearchInput className={css.search} label="Search tags" value={term} onChange={(event) => setTerm(event.target.value)} />
      )}
      {known && shown.length === 0 && (
        <p role="status" className={css.note}>
          No tags found
        </p>
      )}
      {known && (
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
              onOpen={(wanted) => setOpen(wanted ? tag.key : null)}
            />
          ))}
        </ul>
      )}
      {known && canWrite && <NewTagForm onCreate={onCreate} />}
    </Dialog>
  );
}
