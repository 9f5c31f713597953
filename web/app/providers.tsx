import { lazy, Suspense, useSyncExternalStore, type ReactNode } from "react";
import { ConsentGate } from "../features/consent/consent-gate.tsx";
import { toasterWanted } from "../lib/toasts.ts";

const Toaster = lazy(() => import("../components/toaster.tsx"));

/** Around every page: where messages appear, loaded with the first one; the question about cookies. */
export function Providers({ children }: { children: ReactNode }) {
  const withToaster = useSyncExternalStore(toasterWanted.subscribe, toasterWanted.get);
  return (
    <>
      {children}
      <ConsentGate />
      <Suspense>{withToaster && <Toaster />}</Suspense>
    </>
  );
}
