import { classNames } from "../lib/class-names.ts";
import { CopyButton } from "./copy-button.tsx";
import css from "./code-sample.module.css";

interface CodeSampleProps {
  label: string;
  /** Completes "Copy …" instead of the label. */
  copies?: string;
  code: string;
  wraps?: boolean;
  scrollable?: boolean;
}

export function CodeSample({ label, copies = label, code, wraps, scrollable }: CodeSampleProps) {
  return (
    <div className={css.code}>
      <pre tabIndex={0} aria-label={label} className={classNames(scrollable && css.low, wraps && css.wraps)}>
        <code>{code}</code>
      </pre>
      <div className={css.copy}>
        <CopyButton text={code} label={copies} />
      </div>
    </div>
  );
}
