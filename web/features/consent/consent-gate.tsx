import { Suspense, useEffect, useSyncExternalStore } from "react";
import { mayAnalyse } from "./consent.ts";
import { consentPopup } from "./consent-popup.ts";
import { lazyPart } from "../../components/lazy-part.tsx";

const CookieConsent = lazyPart(
  () => import("./cookie-consent.tsx"),
  (part) => part.CookieConsent,
  { instead: () => null },
);

const analyse = async () => (await import("./analytics.ts")).startAnalytics();

/** Starts what was allowed earlier; asks where nothing was chosen yet. Both are loaded only then. */
export function ConsentGate() {
  const open = useSyncExternalStore(consentPopup.subscribe, consentPopup.isOpen);
  useEffect(() => {
    if (mayAnalyse()) void analyse();
  }, []);
  return <Suspense>{open && <CookieConsent onAllow={() => void analyse()} />}</Suspense>;
}
