import { lazy, Suspense, useEffect, useSyncExternalStore } from "react";
import { startAnalytics } from "./analytics.ts";
import { consentPopup } from "./consent-popup.ts";

const CookieConsent = lazy(() => import("./cookie-consent.tsx").then((module) => ({ default: module.CookieConsent })));

/** Starts what was allowed earlier; asks where nothing was chosen yet. */
export function ConsentGate() {
  const open = useSyncExternalStore(consentPopup.subscribe, consentPopup.isOpen);
  useEffect(() => void startAnalytics(), []);
  return <Suspense>{open && <CookieConsent />}</Suspense>;
}
