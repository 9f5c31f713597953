import { useId } from "react";
import { FieldFrame } from "../../components/field-frame.tsx";
import { Input } from "../../components/input.tsx";
import css from "./settings-form.module.css";

interface NumberRowProps {
  label: string;
  min: number;
  max: number;
  /** NaN while the field is empty. */
  value: number;
  problem: string | undefined;
  disabled?: boolean;
  onChange: (value: number) => void;
}

/** A number field with what it may be. */
export function NumberRow({ label, min, max, value, problem, disabled, onChange }: NumberRowProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={`${min} to ${max}`} error={problem}>
      <Input
        id={id}
        type="number"
        className={css.number}
        min={min}
        max={max}
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
