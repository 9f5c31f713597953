import { CopyButton } from "./copy-button.tsx";
import css from "./code-sample.module.css";

interface CodeSampleProps {
  /** Accessible name; completes "Copy …". */
  label: string;
  code: string;
  /** Limits the height and scrolls. */
  scrollable?: boolean;
}

export function CodeSample({ label, code, scrollable }: CodeSampleProps) {
  return (
    <div className={css.code}>
      <pre tabIndex={0} aria-label={label} className={scrollable ? css.low : undefined}>
        <code>{code}</code>
      </pre>
      <div className={css.copy}>
        <CopyButton text={code} label={label} />
      </div>
    </div>
  );
}
