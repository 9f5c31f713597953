import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { ConsentGate } from "../features/consent/consent-gate.tsx";
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
    importPart(() => import("../components/toaster.tsx"))
      .then(({ default: Toaster }) => setToaster(<Toaster />))
      .catch(toasterMissed);
  }, [wanted]);
  return toaster;
}

/**
 * A part of the app that could not be loaded before is asked for anew. A browser keeps to what it found under an address, for as long as the
 * page lives, and Vite to the styles it asked for: so this asks under another address, which stands in the error that Chromium and Firefox
 * give, and for the styles once more.
 */
async function importPart<Part>(load: () => Promise<Part>, triesLeft = 2): Promise<Part> {
  try {
    return await load();
  } catch (failure) {
    if (triesLeft === 0) throw failure;
    const message = failure instanceof Error ? failure.message : "";
    const style = /preload CSS for (\S+)/.exec(message)?.[1];
    if (style) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
    const script = /https?:\S+\.js/.exec(message)?.[0];
    const again = () => import(/* @vite-ignore */ `${script}?again=${Date.now()}`) as Promise<Part>;
    return await importPart(script ? again : load, triesLeft - 1);
  }
}
