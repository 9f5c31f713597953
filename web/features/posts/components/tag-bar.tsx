import { OverlayPanel } from "primereact/overlaypanel";
import { useMemo, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { knownTags, type Tag } from "../model/tags.ts";
import { keepTag, ownTags } from "../state/own-tags.ts";
import { TagChip } from "./tag-chip.tsx";
import { TagPicker } from "./tag-picker.tsx";
import css from "./tag-bar.module.css";

interface TagBarProps {
  workspaceId: string;
  /** The post's tags. */
  tags: readonly string[];
  /** Tags that other posts of the workspace carry. */
  found: readonly string[];
  canWrite: boolean;
  onChange(tags: string[]): void;
}

/** The post's tags under its title; with the right to write, a button that chooses and creates them. */
export function TagBar({ workspaceId, tags, found, canWrite, onChange }: TagBarProps) {
  const panel = useRef<OverlayPanel>(null);
  const [open, setOpen] = useState(false);
  const [own, setOwn] = useState<readonly Tag[]>(() => ownTags(workspaceId));
  const known = useMemo(() => knownTags(own, [...new Set([...found, ...tags])]), [own, found, tags]);
  const chosen = tags.flatMap((key) => known.find((tag) => tag.key === key) ?? []);

  const create = (tag: Tag) => {
    setOwn(keepTag(workspaceId, tag));
    if (!tags.includes(tag.key)) onChange([...tags, tag.key]);
  };

  return (
    <div className={css.bar}>
      {chosen.length > 0 && (
        <ul role="list" aria-label="Tags" className={css.chosen}>
          {chosen.map((tag) => (
            <li key={tag.key}>
              <TagChip tag={tag} />
            </li>
          ))}
        </ul>
      )}
      {canWrite && (
        <>
          <Button
            variant="quiet"
            size="small"
            icon="tag"
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={(event) => panel.current?.toggle(event)}
          >
            {tags.length === 0 ? "Add tags" : "Edit tags"}
          </Button>
          <OverlayPanel ref={panel} role="dialog" aria-label="Tags" onShow={() => setOpen(true)} onHide={() => setOpen(false)}>
            <TagPicker known={known} chosen={tags} onChange={onChange} onCreate={create} />
          </OverlayPanel>
        </>
      )}
    </div>
  );
}
