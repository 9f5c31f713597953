import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Tag } from "#contract/tags.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { sentenceOf } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { TagChip } from "./tag-chip.tsx";
import { DeleteTag, EditTag, MergeTag } from "./tag-work.tsx";
import { postCount } from "./tags.ts";
import type { TagChanges } from "./use-tags.ts";
import css from "./tags.module.css";

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
      setProblem(sentenceOf(failure, "Please try again"));
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
    <li ref={row}>
      <Row gap={3} nowrap className={css.row}>
        <Row as="span" className={css.label}>
          <TagChip tag={tag} />
          <Text as="span" size="small" tone="muted">
            {postCount(posts)}
          </Text>
          {isDefault && (
            <Text as="span" size="small" tone="muted">
              Default tag
            </Text>
          )}
        </Row>
        {canWrite && (
          <Row as="span" gap={0} nowrap>
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
                danger
                aria-expanded={open && work === "delete"}
                onClick={() => openWork("delete")}
              />
            )}
          </Row>
        )}
      </Row>
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
    <Stack gap={2} className={css.work}>
      {children}
      {problem && (
        <Text role="alert" tone="danger">
          {problem}
        </Text>
      )}
    </Stack>
  );
}
