import { useId } from "react";
import type { Tag } from "#contract/tags.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import css from "./webhook-dialog.module.css";

interface TagChoiceProps {
  tags: readonly Tag[];
  /** Keys; none: all posts. */
  chosen: readonly string[];
  onChange: (keys: readonly string[]) => void;
}

/** Posts with which tags: none chosen means all of them. */
export function TagChoice({ tags, chosen, onChange }: TagChoiceProps) {
  const id = useId();
  const gone = chosen.filter((key) => !tags.some((tag) => tag.key === key)).map((key) => ({ key, label: key }));
  return (
    <fieldset className={css.choices} aria-describedby={id}>
      <legend>Only posts with one of these tags</legend>
      <p id={id} className={css.note}>
        None chosen: all posts.
      </p>
      {[...tags, ...gone].map(({ key, label }) => (
        <Checkbox
          key={key}
          label={label}
          checked={chosen.includes(key)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))}
        />
      ))}
    </fieldset>
  );
}
