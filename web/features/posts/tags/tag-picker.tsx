import { tagsPerPost } from "#contract/limits.ts";
import type { Tag, TagColour } from "#contract/tags.ts";
import { Button } from "../../../components/button.tsx";
import { NewTagForm } from "./new-tag-form.tsx";
import { TagChip } from "./tag-chip.tsx";
import css from "./tag-picker.module.css";

interface TagPickerProps {
  choosable: readonly Tag[];
  chosen: readonly string[];
  onChange(tags: string[]): void;
  /** Says whether it was made. */
  onCreate(name: string, colour: TagColour): Promise<boolean>;
  /** Renames, merges and deletes the workspace's tags. */
  onManage(): void;
}

/** Ticks tags, and makes a new one with a name and a colour. Source: specification, section 3 ("Tag"). */
export function TagPicker({ choosable, chosen, onChange, onCreate, onManage }: TagPickerProps) {
  const full = chosen.length >= tagsPerPost;
  const toggle = (key: string) => onChange(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  return (
    <div className={css.picker}>
      <fieldset className={css.known}>
        <legend className="visually-hidden">Tags</legend>
        {choosable.map((tag) => (
          <label key={tag.key} className={css.option}>
            <input
              type="checkbox"
              checked={chosen.includes(tag.key)}
              disabled={full && !chosen.includes(tag.key)}
              onChange={() => toggle(tag.key)}
            />
            <TagChip tag={tag} />
          </label>
        ))}
      </fieldset>
      <NewTagForm onCreate={onCreate} disabled={full} />
      <Button variant="quiet" size="small" icon="tags" wide className={css.manage} onClick={onManage}>
        Manage tags
      </Button>
    </div>
  );
}
