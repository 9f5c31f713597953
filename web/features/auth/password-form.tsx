import { useEffect, useRef, type ReactNode } from "react";
import { FormError } from "../../ui/form-error.tsx";
import { Stack } from "../../ui/layout.tsx";

/** Shows errors of an auth-ui-react form and focuses its field. */
export function PasswordForm({ problem, children }: { problem: string | undefined; children: ReactNode }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) holder.current?.querySelector("input")?.focus();
  }, [problem]);
  return (
    <Stack ref={holder} style={{ width: "100%" }}>
      {problem && <FormError message={problem} />}
      {children}
    </Stack>
  );
}
