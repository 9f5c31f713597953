import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { ConsentGate } from "../features/consent/consent-gate.tsx";
import { loadPart } from "../lib/load-part.ts";
import { toasterFailed, toasterRequested } from "../lib/toasts.ts";

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

/** Lazy toaster. A failed load is retried with the next toast. */
function useToaster(): ReactNode {
  const isRequested = useSyncExternalStore(toasterRequested.subscribe, toasterRequested.get);
  const [toaster, setToaster] = useState<ReactNode>(null);
  useEffect(() => {
    if (!isRequested) return;
    loadPart(() => import("../ui/toaster.tsx"))
      .then(({ default: Toaster }) => setToaster(<Toaster />))
      .catch(toasterFailed);
  }, [isRequested]);
  return toaster;
}
