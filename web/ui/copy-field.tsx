import { classNames } from "../lib/class-names.ts";
import { CopyButton } from "./copy-button.tsx";
import { Input } from "./input.tsx";
import css from "./field.module.css";

interface CopyFieldProps {
  label: string;
  text: string;
  /** Completes the button's name: "Copy the preview link". */
  buttonLabel: string;
  onCopied?: () => void;
}

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
