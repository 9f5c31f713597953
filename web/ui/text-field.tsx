import { useId, useState, type HTMLInputAutoCompleteAttribute, type ReactNode } from "react";
import { afterPointer } from "../lib/after-pointer.ts";
import { fieldMessage, useFormField } from "../lib/use-form-field.ts";
import { FieldFrame } from "./field-frame.tsx";
import { Icon } from "./icon.tsx";
import { Input } from "./input.tsx";
import { Text } from "./layout.tsx";
import css from "./field.module.css";

export interface TextFieldProps {
  name: string;
  label: string;
  type?: "text" | "email" | "password" | "url";
  hint?: ReactNode;
  aside?: ReactNode;
  /** Fixed text after the input, e.g. ".localhost:3000". */
  suffix?: string;
  placeholder?: string;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  autoFocus?: boolean;
  optional?: boolean;
  disabled?: boolean;
  maxLength?: number;
  /** Live status while there is no error; announced politely. */
  status?: ReactNode;
  onTyped?: (value: string) => void;
  /** Completes the value on blur. */
  complete?: (typed: string) => string;
  error?: string;
}

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
      <div className={suffix ? css.joined : css.row}>
        <Input
          {...input}
          data-pc-autofocus={input.autoFocus} // otherwise PrimeReact's dialog focuses its first button
          {...field.input}
          onBlur={({ target }) => {
            const completed = complete?.(target.value) ?? target.value;
            if (completed !== target.value) field.input.onChange(completed);
            afterPointer(field.input.onBlur);
          }}
          onChange={(event) => {
            field.input.onChange(event);
            onTyped?.(event.target.value);
          }}
          id={id}
          type={type === "password" && shown ? "text" : type}
          aria-invalid={message !== undefined}
          aria-required={!optional}
          aria-describedby={described || undefined}
          spellCheck={type === "text" ? undefined : false}
          autoCapitalize={type === "text" ? undefined : "none"}
        />
        {suffix && (
          <Text as="span" tone="muted" className={css.suffix}>
            {suffix}
          </Text>
        )}
        {type === "password" && (
          <button type="button" className={css.reveal} aria-pressed={shown} aria-label="Show password" onClick={() => setShown(!shown)}>
            <Icon name={shown ? "eye-slash" : "eye"} />
          </button>
        )}
      </div>
    </FieldFrame>
  );
}
