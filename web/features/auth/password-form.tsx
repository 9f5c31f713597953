import { useEffect, useRef, type ReactNode } from "react";
import { FormError } from "../../ui/form-error.tsx";
import css from "./auth-ui.module.css";

/** Shows errors of an auth-ui-react form and focuses its field. */
export function PasswordForm({ problem, children }: { problem: string | undefined; children: ReactNode }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) holder.current?.querySelector("input")?.focus();
  }, [problem]);
  return (
    <div ref={holder} className={css.form}>
      {problem && <FormError message={problem} />}
      {children}
    </div>
  );
}
