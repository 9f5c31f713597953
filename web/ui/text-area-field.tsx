import { useId, type ReactNode } from "react";
import { fieldMessage, useFormField } from "../lib/use-form-field.ts";
import { FieldFrame } from "./field-frame.tsx";
import { Text } from "./layout.tsx";
import css from "./field.module.css";

interface TextAreaFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  autoFocus?: boolean;
  rows: number;
  /** Character limit, counted above the field. Longer text is kept with an error. */
  max?: number;
}

export function TextAreaField({ name, label, hint, placeholder, autoFocus, rows, max }: TextAreaFieldProps) {
  const id = useId();
  const { input, meta } = useFormField<string>(name, { format: (value) => value ?? "", parse: (value) => value });
  const used = input.value.trim().length;
  const message = max !== undefined && used > max ? String(meta.error) : fieldMessage(meta);
  return (
    <FieldFrame
      id={id}
      label={label}
      hint={hint}
      error={message}
      aside={
        max !== undefined && (
          <Text as="span" size="small" tone={used > max ? "danger" : "muted"} className={css.count}>
            {used.toLocaleString("en")} of {max.toLocaleString("en")}
            <span className="visually-hidden"> characters</span>
          </Text>
        )
      }
    >
      <textarea
        {...input}
        id={id}
        className={`p-inputtext p-component ${css.area}`}
        rows={rows}
        dir="auto"
        placeholder={placeholder}
        autoFocus={autoFocus}
        aria-invalid={message !== undefined}
        aria-describedby={[message && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined}
      />
    </FieldFrame>
  );
}
