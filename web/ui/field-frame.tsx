import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import css from "./field-frame.module.css";

interface FieldFrameProps {
  /** Control id; error, hint and status get `{id}-error`, `{id}-hint`, `{id}-status` for aria-describedby. */
  id: string;
  label: string;
  optional?: boolean;
  aside?: ReactNode;
  hint?: ReactNode;
  status?: ReactNode;
  error?: string;
  children: ReactNode;
}

/** Shared layout: label, control, then error, status and hint. */
export function FieldFrame({ id, label, optional, aside, hint, status, error, children }: FieldFrameProps) {
  return (
    <div className={css.field}>
      <div className={css.top}>
        <label htmlFor={id} className={css.label}>
          {label}
          {optional && <span className={css.optional}> (optional)</span>}
        </label>
        {aside}
      </div>
      {children}
      {error && (
        <p id={`${id}-error`} className={css.error}>
          <Icon name="exclamation-circle" className={css.mark} />
          {error}
        </p>
      )}
      <div id={`${id}-status`} className={css.status} aria-live="polite">
        {status}
      </div>
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
