import { lazy, Suspense, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { ConsentGate } from "../features/consent/consent-gate.tsx";
import { toasterWanted } from "../lib/toasts.ts";

// Messages that cannot be shown (offline, or a new version was installed) must not take the page down with them.
const Toaster = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    return await import("../components/toaster.tsx");
  } catch {
    return { default: () => null };
  }
});

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
