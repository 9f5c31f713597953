import { loadConfig } from "../../lib/config.ts";
import { mayAnalyse } from "./consent.ts";

let started = false;

/** Loads the analytics script that this installation names, once, and only with consent. */
export async function startAnalytics(): Promise<void> {
  if (started || !mayAnalyse()) return;
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
    console.warn("Analytics could not be started.", error);
  }
}
