import { CopyButton } from "./copy-button.tsx";
import css from "./code-sample.module.css";

interface CodeSampleProps {
  /** What it is, for who cannot see it; completes "Copy …". */
  what: string;
  code: string;
  /** Long ones can be scrolled. */
  low?: boolean;
}

/** Something to copy: a command, a body. */
export function CodeSample({ what, code, low }: CodeSampleProps) {
  return (
    <div className={css.code}>
      <pre tabIndex={0} aria-label={what} className={low ? css.low : undefined}>
        <code>{code}</code>
      </pre>
      <div className={css.copy}>
        <CopyButton text={code} what={what} />
      </div>
    </div>
  );
}
