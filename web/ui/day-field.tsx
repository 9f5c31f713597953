import { useId } from "react";
import { FieldFrame } from "./field-frame.tsx";
import { Input } from "./input.tsx";

interface DayFieldProps {
  label: string;
  /** `2026-01-31`, or empty. */
  value: string;
  max?: string;
  error?: string | undefined;
  onChange: (value: string) => void;
}

export function DayField({ label, value, max, error, onChange }: DayFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} error={error}>
      <Input
        id={id}
        type="date"
        value={value}
        max={max}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </FieldFrame>
  );
}
