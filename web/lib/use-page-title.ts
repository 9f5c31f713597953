import { useEffect } from "react";

const product = "Tidings";

/** Document title: "Dashboard · Acme · Tidings". Skips empty parts. */
export function usePageTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts.filter(Boolean), product].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
