import { lazy, Suspense, useSyncExternalStore, type ReactNode } from "react";
import { toasterWanted } from "../lib/toasts.ts";

const Toaster = lazy(() => import("../components/toaster.tsx"));

/** Around every page: where messages appear, loaded with the first one. */
export function Providers({ children }: { children: ReactNode }) {
  const withToaster = useSyncExternalStore(toasterWanted.subscribe, toasterWanted.get);
  return (
    <>
      {children}
      <Suspense>{withToaster && <Toaster />}</Suspense>
    </>
  );
}
