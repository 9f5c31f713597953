import { useId, type InputHTMLAttributes, type ReactNode } from "react";
import css from "./checkbox-field.module.css";

/** `note` shows below the label and describes the checkbox. */
export function Checkbox({
  label,
  note,
  ...input
}: { label: string; note?: ReactNode } & Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "id">) {
  const id = useId();
  return (
    <div className={css.field}>
      <input {...input} id={id} type="checkbox" className={css.box} aria-describedby={note ? `${id}-note` : undefined} />
      <span className={css.words}>
        <label htmlFor={id}>{label}</label>
        {note && (
          <span id={`${id}-note`} className={css.note}>
            {note}
          </span>
        )}
      </span>
    </div>
  );
}
