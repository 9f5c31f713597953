import { loadConfig } from "../../lib/config.ts";
import { isAnalyticsAllowed } from "./consent.ts";

let started = false;

/** Loads the installation's analytics script once, only with consent. */
export async function startAnalytics(): Promise<void> {
  if (started || !isAnalyticsAllowed()) return;
  started = true;
  try {
    const { analyticsSrc } = await loadConfig();
    if (analyticsSrc === null) return;
    const script = document.createElement("script");
    script.src = analyticsSrc;
    script.async = true;
    document.head.append(script);
  } catch (error) {
    started = false;
    console.warn("Couldn't start analytics.", error);
  }
}
