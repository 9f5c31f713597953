import { useEffect, useState } from "react";
import { errorCatalogue } from "#contract/errors.ts";
import { searchDebounceMs } from "../../lib/timings.ts";
import { subdomain, workspaceEndpoints } from "#contract/workspaces.ts";
import { call } from "../../lib/api-client.ts";

export type SubdomainCheck = { state: "unknown" | "asking" | "free" } | { state: "refused"; sentence: string };

/** Asks whether a subdomain is free while it is typed, 300 ms after the last key. Unknown: malformed, or the check did not arrive. */
export function useSubdomainCheck(typed: string): SubdomainCheck {
  const parsed = subdomain.safeParse(typed);
  const wanted = parsed.success ? parsed.data : null;
  const [known, setKnown] = useState<{ subdomain: string; check: SubdomainCheck }>();

  useEffect(() => {
    if (wanted === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      ask(wanted, abort.signal).then(
        (check) => setKnown({ subdomain: wanted, check }),
        () => abort.signal.aborted || setKnown({ subdomain: wanted, check: { state: "unknown" } }),
      );
    }, searchDebounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);

  if (wanted === null) return { state: "unknown" };
  return known?.subdomain === wanted ? known.check : { state: "asking" };
}

async function ask(wanted: string, signal: AbortSignal): Promise<SubdomainCheck> {
  const { available, reason } = await call(workspaceEndpoints.subdomainAvailable, { query: { subdomain: wanted }, signal });
  if (available) return { state: "free" };
  return { state: "refused", sentence: errorCatalogue[reason ?? "subdomain_taken"].sentence };
}
