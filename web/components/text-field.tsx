import { useId, useState, type HTMLInputAutoCompleteAttribute, type ReactNode } from "react";
import type { FieldMetaState } from "react-final-form";
import { afterPointer } from "../lib/after-pointer.ts";
import { useFormField } from "../lib/use-form-field.ts";
import { FieldFrame } from "./field-frame.tsx";
import { Icon } from "./icon.tsx";
import { Input } from "./input.tsx";
import css from "./text-field.module.css";

export interface TextFieldProps {
  name: string;
  label: string;
  type?: "text" | "email" | "password" | "url";
  hint?: ReactNode;
  /** Beside the label, e.g. a link. */
  aside?: ReactNode;
  /** Fixed text after what is typed, e.g. ".localhost:3000". */
  suffix?: string;
  placeholder?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  optional?: boolean;
  disabled?: boolean;
  maxLength?: number;
  /** Said to the person while there is no error, e.g. a live check; announced politely. */
  status?: ReactNode;
  onTyped?: (value: string) => void;
  /** What was meant by what was typed; stands in the field once it is left. */
  complete?: (typed: string) => string;
  /** An error that did not come from the form's own validation. */
  error?: string;
}

/**
 * A labelled text input of a react-final-form form. Its error shows once something typed was left, or the form was submitted.
 */
export function TextField({
  name,
  label,
  type = "text",
  hint,
  aside,
  suffix,
  optional,
  status,
  error,
  onTyped,
  complete,
  ...input
}: TextFieldProps) {
  const id = useId();
  const field = useFormField<string>(name, { format: (value) => value ?? "", parse: (value) => value });
  const [shown, setShown] = useState(false);
  const message = error ?? fieldMessage(field.meta);
  const described = [message && `${id}-error`, hint && `${id}-hint`, status && `${id}-status`].filter(Boolean).join(" ");

  return (
    <FieldFrame id={id} label={label} optional={optional} aside={aside} hint={hint} status={message ? undefined : status} error={message}>
      <div className={css.row}>
        <Input
          {...input}
          data-pc-autofocus={input.autoFocus} // for PrimeReact's dialog, which else moves the focus to its first button
          {...field.input}
          onBlur={({ target }) => {
            const meant = complete?.(target.value) ?? target.value;
            if (meant !== target.value) field.input.onChange(meant);
            afterPointer(field.input.onBlur);
          }}
          onChange={(event) => {
            field.input.onChange(event);
            onTyped?.(event.target.value);
          }}
          id={id}
          type={type === "password" && shown ? "text" : type}
          className={type === "password" ? css.withEnd : undefined}
          aria-invalid={message !== undefined}
          aria-required={!optional}
          aria-describedby={described || undefined}
          spellCheck={type === "text" ? undefined : false}
          autoCapitalize={type === "text" ? undefined : "none"}
        />
        {suffix && <span className={css.suffix}>{suffix}</span>}
        {type === "password" && (
          <button
            type="button"
            className={css.reveal}
            aria-pressed={shown}
            aria-label="Show what is typed"
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? "eye-slash" : "eye"} />
          </button>
        )}
      </div>
    </FieldFrame>
  );
}

/** An empty field that was only passed through says nothing yet: a sentence that appears on the way to a link would move the link. */
function fieldMessage({
  touched,
  modified,
  submitFailed,
  error,
  submitError,
  dirtySinceLastSubmit,
}: FieldMetaState<string>): string | undefined {
  if (touched && (modified || submitFailed) && error) return String(error);
  return submitError && !dirtySinceLastSubmit ? String(submitError) : undefined;
}
