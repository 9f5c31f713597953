import type { CSSProperties, ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Row, Text } from "./layout.tsx";
import css from "./field.module.css";

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
      <Row gap={3} justify="between" align="baseline" nowrap>
        <Text as="label" strong htmlFor={id}>
          {label}
          {optional && (
            <Text as="span" tone="muted" className={css.optional}>
              {" (optional)"}
            </Text>
          )}
        </Text>
        {aside}
      </Row>
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <Text as="div" id={`${id}-status`} size="small" tone="muted" className={css.status} aria-live="polite">
        {status}
      </Text>
      {hint && (
        <Text id={`${id}-hint`} size="small" tone="muted">
          {hint}
        </Text>
      )}
    </div>
  );
}

/** Error below a field, or with `role="alert"` below a group that has no FieldFrame. */
export function FieldError({ children, ...text }: { id: string; role?: "alert"; style?: CSSProperties; children: ReactNode }) {
  return (
    <Text {...text} size="small" tone="danger" className={css.error}>
      <Icon name="exclamation-circle" />
      {children}
    </Text>
  );
}

/** A field with its button beside the control. */
export function FieldWithButton({ children }: { children: ReactNode }) {
  return <div className={css.beside}>{children}</div>;
}
