import { useMemo } from "react";
import { tagsPerPost } from "#contract/limits.ts";
import { presentTags, tagOf, type TagColour } from "#contract/tags.ts";
import { Row } from "../../../ui/layout.tsx";
import { PanelButton } from "../../../ui/panel-button.tsx";
import { openOverlay } from "../../../lib/overlays.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useLatest } from "../../../lib/use-latest.ts";
import { useTags } from "./use-tags.ts";
import { choosableTags } from "./tags.ts";
import { TagChip } from "./tag-chip.tsx";
import { TagPicker } from "./tag-picker.tsx";
import css from "./tags.module.css";

interface TagBarProps {
  workspaceId: string;
  tags: readonly string[];
  otherTags: readonly string[];
  canWrite: boolean;
  onChange(tags: string[]): void;
}

export function TagBar({ workspaceId, tags: carried, otherTags, canWrite, onChange }: TagBarProps) {
  const { tags: offered, former, create } = useTags(workspaceId);
  const tags = useMemo(() => presentTags(carried, former), [carried, former]);
  const latest = useLatest(tags);
  const choosable = useMemo(() => choosableTags(offered, [...otherTags, ...tags]), [offered, otherTags, tags]);

  async function createAndChoose(name: string, colour: TagColour): Promise<boolean> {
    try {
      const { key } = await create(name, colour);
      if (!latest.current.includes(key) && latest.current.length < tagsPerPost) onChange([...latest.current, key]);
      return true;
    } catch (error) {
      toasts.failure("Couldn't create the tag", error);
      return false;
    }
  }

  return (
    <Row className={css.bar}>
      {tags.length > 0 && (
        <Row as="ul" role="list" aria-label="Tags">
          {tags.map((key) => (
            <li key={key}>
              <TagChip tag={tagOf(key, offered)} />
            </li>
          ))}
        </Row>
      )}
      {canWrite && (
        <PanelButton label="Tags" icon="tag" text={tags.length === 0 ? "Add tags" : "Edit tags"}>
          {(close) => (
            <TagPicker
              choosable={choosable}
              chosen={tags}
              onChange={onChange}
              onCreate={createAndChoose}
              onManage={() => {
                close();
                openOverlay("tags");
              }}
            />
          )}
        </PanelButton>
      )}
    </Row>
  );
}
