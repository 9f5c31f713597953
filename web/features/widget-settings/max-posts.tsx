import { useId } from "react";
import { maxPostsMax, maxPostsMin } from "#contract/limits.ts";
import { FieldFrame } from "../../components/field-frame.tsx";
import { Input } from "../../components/input.tsx";
import css from "./settings-form.module.css";

interface MaxPostsProps {
  /** NaN while the field is empty. */
  value: number;
  problem: string | undefined;
  disabled?: boolean;
  onChange: (value: number) => void;
}

/** How many posts the panel lists, 1 to 20. */
export function MaxPosts({ value, problem, disabled, onChange }: MaxPostsProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label="Maximum posts" hint={`${maxPostsMin} to ${maxPostsMax}`} error={problem}>
      <Input
        id={id}
        type="number"
        className={css.number}
        min={maxPostsMin}
        max={maxPostsMax}
        step={1}
        disabled={disabled}
        value={Number.isNaN(value) ? "" : value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? `${id}-error` : `${id}-hint`}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </FieldFrame>
  );
}
