import { classNames } from "../lib/class-names.ts";
import { CopyButton } from "./copy-button.tsx";
import { Input } from "./input.tsx";
import css from "./field.module.css";

interface CopyFieldProps {
  /** Accessible name of the field: "Preview link". */
  label: string;
  text: string;
  /** Completes the button's name: "Copy the preview link". */
  buttonLabel: string;
  onCopied?: () => void;
}

/** Read-only text, focused and selected on mount, scrolled to its start. */
export function CopyField({ label, text, buttonLabel, onCopied }: CopyFieldProps) {
  return (
    <div className={classNames(css.joined, css.copy)}>
      <Input
        readOnly
        autoFocus
        data-pc-autofocus
        aria-label={label}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onFocus={({ target }) => {
          target.select();
          requestAnimationFrame(() => (target.scrollLeft = 0));
        }}
      />
      <CopyButton text={text} label={buttonLabel} onCopied={onCopied} />
    </div>
  );
}
