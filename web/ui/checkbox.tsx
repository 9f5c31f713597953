import { useId, type InputHTMLAttributes, type ReactNode } from "react";
import { Stack, Text } from "./layout.tsx";
import css from "./field.module.css";

/** A checkbox, or a radio button. `note` shows below the label and describes it. */
export function Checkbox({
  label,
  note,
  type = "checkbox",
  ...input
}: { label: string; note?: ReactNode; type?: "checkbox" | "radio" } & Omit<InputHTMLAttributes<HTMLInputElement>, "id">) {
  const id = useId();
  return (
    <div className={css.checkbox}>
      <input {...input} id={id} type={type} className={css.box} aria-describedby={note ? `${id}-note` : undefined} />
      <Stack as="span" gap={0}>
        <label htmlFor={id}>{label}</label>
        {note && (
          <Text as="span" id={`${id}-note`} size="small" tone="muted" className={css.note}>
            {note}
          </Text>
        )}
      </Stack>
    </div>
  );
}
