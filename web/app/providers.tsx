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

const load = () => loadPart(() => import("../ui/toaster.tsx"));

/** Lazy toaster. A failed load is retried with the next toast. */
function useToaster(): ReactNode {
  const isRequested = useSyncExternalStore(toasterRequested.subscribe, toasterRequested.get);
  const [toaster, setToaster] = useState<ReactNode>(null);
  useEffect(() => {
    const preload = () => void load().catch(() => {}); // a lost connection must not hide its own message
    addEventListener("pointerdown", preload, { once: true });
    addEventListener("keydown", preload, { once: true });
  }, []);
  useEffect(() => {
    if (!isRequested) return;
    load()
      .then(({ default: Toaster }) => setToaster(<Toaster />))
      .catch(toasterFailed);
  }, [isRequested]);
  return toaster;
}
