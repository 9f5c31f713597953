import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Tag } from "#contract/tags.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { TagChip } from "./tag-chip.tsx";
import { DeleteTag, EditTag, MergeTag } from "./tag-work.tsx";
import { postCount } from "./tags.ts";
import type { TagChanges } from "./use-tags.ts";
import css from "./tag-manager.module.css";

interface TagRowProps {
  tag: Tag;
  posts: number;
  others: readonly Tag[];
  isDefault: boolean;
  canWrite: boolean;
  open: boolean;
  changes: TagChanges;
  onOpen(open: boolean): void;
}

export function TagRow({ tag, posts, others, isDefault, canWrite, open, changes, onOpen }: TagRowProps) {
  const [work, setWork] = useState<"edit" | "merge" | "delete">("edit");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (open) row.current?.querySelector<HTMLElement>("form input, form select, form button")?.focus();
    else if (opener.current?.isConnected) {
      opener.current.focus();
      opener.current = null;
    }
  }, [open, work]);

  function openWork(next: typeof work) {
    opener.current = document.activeElement as HTMLElement;
    setProblem(null);
    setWork(next);
    onOpen(!(open && work === next));
  }
  async function perform(title: string, change: () => Promise<{ posts: number }>) {
    setBusy(true);
    setProblem(null);
    try {
      const { posts: changed } = await change();
      toasts.success(title, changed > 0 ? `${postCount(changed)} updated` : undefined);
      onOpen(false);
    } catch (failure) {
      setProblem(failure instanceof ApiError ? failure.sentence : "Please try again");
    } finally {
      setBusy(false);
    }
  }
  const latestOpen = useLatest(onOpen);
  useEffect(() => {
    const element = row.current;
    if (!open || !element) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      latestOpen.current(false);
    };
    element.addEventListener("keydown", onKeyDown);
    return () => element.removeEventListener("keydown", onKeyDown);
  }, [open, latestOpen]);
  const shared = { tag, posts, busy, onCancel: () => onOpen(false) };

  return (
    <li ref={row} className={css.item}>
      <div className={css.row}>
        <span className={css.words}>
          <TagChip tag={tag} />
          <span className={css.count}>{postCount(posts)}</span>
          {isDefault && <span className={css.count}>Default tag</span>}
        </span>
        {canWrite && (
          <span className={css.actions}>
            {!isDefault && (
              <IconButton
                icon="pencil"
                label={`Edit ${tag.label}`}
                aria-expanded={open && work === "edit"}
                onClick={() => openWork("edit")}
              />
            )}
            {(posts > 0 || !isDefault) && (
              <Button
                variant="quiet"
                size="small"
                aria-label={`Merge ${tag.label} into another tag`}
                aria-expanded={open && work === "merge"}
                onClick={() => openWork("merge")}
              >
                Merge
              </Button>
            )}
            {!isDefault && (
              <IconButton
                icon="trash"
                label={`Delete ${tag.label}`}
                className={css.danger}
                aria-expanded={open && work === "delete"}
                onClick={() => openWork("delete")}
              />
            )}
          </span>
        )}
      </div>
      {open && (
        <Work problem={problem}>
          {work === "edit" && (
            <EditTag
              {...shared}
              others={others}
              onSave={(body) => void perform("Tag saved", () => changes.change(tag.key, body))}
              onMerge={(into) => void perform(`Merged into ${into.label}`, () => changes.merge(tag.key, into.key))}
            />
          )}
          {work === "merge" && (
            <MergeTag
              {...shared}
              others={others}
              isDefault={isDefault}
              onMerge={(into) => void perform(`Merged into ${into.label}`, () => changes.merge(tag.key, into.key))}
            />
          )}
          {work === "delete" && <DeleteTag {...shared} onDelete={() => void perform("Tag deleted", () => changes.remove(tag.key))} />}
        </Work>
      )}
    </li>
  );
}

function Work({ problem, children }: { problem: string | null; children: ReactNode }) {
  return (
    <div className={css.work}>
      {children}
      {problem && (
        <p role="alert" className={css.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
