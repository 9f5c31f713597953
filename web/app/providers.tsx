import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { ConsentGate } from "../features/consent/consent-gate.tsx";
import { loadPart } from "../lib/load-part.ts";
import { toasterMissed, toasterWanted } from "../lib/toasts.ts";

/** Around every page: where messages appear, loaded with the first one; the question about cookies. */
export function Providers({ children }: { children: ReactNode }) {
  const toaster = useToaster();
  return (
    <>
      {children}
      <ConsentGate />
      {toaster}
    </>
  );
}

/** Messages that cannot be shown (offline, or a new version was installed) must not take the page down with them: the next one tries again. */
function useToaster(): ReactNode {
  const wanted = useSyncExternalStore(toasterWanted.subscribe, toasterWanted.get);
  const [toaster, setToaster] = useState<ReactNode>(null);
  useEffect(() => {
    if (!wanted) return;
    loadPart(() => import("../components/toaster.tsx"))
      .then(({ default: Toaster }) => setToaster(<Toaster />))
      .catch(toasterMissed);
  }, [wanted]);
  return toaster;
}
