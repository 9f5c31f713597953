import { Suspense, useEffect, useSyncExternalStore } from "react";
import { isAnalyticsAllowed } from "./consent.ts";
import { consentPopup } from "./consent-popup.ts";
import { lazyPart } from "../../ui/lazy-part.tsx";

const CookieConsent = lazyPart(() => import("./cookie-consent.tsx"), "CookieConsent", { fallback: () => null });

const startAnalytics = async () => (await import("./analytics.ts")).startAnalytics();

/** Starts analytics with earlier consent, or asks. Both load lazily. */
export function ConsentGate() {
  const open = useSyncExternalStore(consentPopup.subscribe, consentPopup.isOpen);
  useEffect(() => {
    if (isAnalyticsAllowed()) void startAnalytics();
  }, []);
  return <Suspense>{open && <CookieConsent onAllow={() => void startAnalytics()} />}</Suspense>;
}
