import { type ReactNode, useId } from "react";
import { Checkbox } from "./checkbox.tsx";
import { FieldError } from "./field-frame.tsx";
import { Grid, Text } from "./layout.tsx";

interface CheckboxesProps<Value extends string> {
  options: readonly { value: Value; label: string; note?: ReactNode }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}

export function Checkboxes<Value extends string>({ options, chosen, onChange }: CheckboxesProps<Value>) {
  return options.map(({ value, ...text }) => (
    <Checkbox
      key={value}
      {...text}
      checked={chosen.includes(value)}
      onChange={({ target }) => onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))}
    />
  ));
}

interface CheckboxGroupProps {
  legend: string;
  hint?: string;
  error?: string | undefined;
  /** Narrowest column, a CSS length. */
  min: string;
  children: ReactNode;
}

export function CheckboxGroup({ legend, hint, error, min, children }: CheckboxGroupProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <Grid as="fieldset" min={min} gap={2} aria-describedby={described || undefined}>
      <legend>{legend}</legend>
      {hint && (
        <Text id={`${id}-hint`} size="small" tone="muted" style={{ gridColumn: "1 / -1" }}>
          {hint}
        </Text>
      )}
      {children}
      {error && (
        <FieldError id={`${id}-error`} role="alert" style={{ gridColumn: "1 / -1" }}>
          {error}
        </FieldError>
      )}
    </Grid>
  );
}
