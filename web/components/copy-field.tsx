import { CopyButton } from "./copy-button.tsx";
import css from "./copy-field.module.css";

interface CopyFieldProps {
  /** The field's name: "Link to the preview". */
  label: string;
  text: string;
  /** Completes the button's name: "the link to the preview". */
  what: string;
  onCopied?: () => void;
}

/** A text to be copied, which has the focus when it appears and is selected with it. Its beginning is what one sees. */
export function CopyField({ label, text, what, onCopied }: CopyFieldProps) {
  return (
    <div className={css.field}>
      <input
        readOnly
        autoFocus
        data-pc-autofocus
        aria-label={label}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onFocus={({ target }) => {
          target.select();
          requestAnimationFrame(() => (target.scrollLeft = 0)); // a browser shows the end of what was selected
        }}
      />
      <CopyButton text={text} what={what} onCopied={onCopied} />
    </div>
  );
}
