import { useEffect } from "react";

const product = "Tidings";

/** Names the tab while the component is shown: "Dashboard · Acme · Tidings". Empty parts are left out. */
export function usePageTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts.filter(Boolean), product].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
