import { useEffect, useState } from "react";
import { errorCatalogue } from "#contract/errors.ts";
import { searchDebounceMs } from "../../lib/timings.ts";
import { subdomain, workspaceEndpoints } from "#contract/workspaces.ts";
import { call } from "../../lib/api-client.ts";

export type SubdomainCheck = { state: "unknown" | "asking" | "free" } | { state: "refused"; sentence: string };

/** Debounced availability check. Unknown: malformed, or no response. */
export function useSubdomainCheck(typed: string): SubdomainCheck {
  const parsed = subdomain.safeParse(typed);
  const candidate = parsed.success ? parsed.data : null;
  const [latest, setLatest] = useState<{ subdomain: string; check: SubdomainCheck }>();

  useEffect(() => {
    if (candidate === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      checkSubdomain(candidate, abort.signal).then(
        (check) => setLatest({ subdomain: candidate, check }),
        () => abort.signal.aborted || setLatest({ subdomain: candidate, check: { state: "unknown" } }),
      );
    }, searchDebounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [candidate]);

  if (candidate === null) return { state: "unknown" };
  return latest?.subdomain === candidate ? latest.check : { state: "asking" };
}

async function checkSubdomain(wanted: string, signal: AbortSignal): Promise<SubdomainCheck> {
  const { available, reason } = await call(workspaceEndpoints.subdomainAvailable, { query: { subdomain: wanted }, signal });
  if (available) return { state: "free" };
  return { state: "refused", sentence: errorCatalogue[reason ?? "subdomain_taken"].sentence };
}
