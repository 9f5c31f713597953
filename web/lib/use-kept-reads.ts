import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { keepsReads } from "./forget-reads.ts";

/** Stands where a person's own data is read: what the cache keeps, which is one for the whole window, is forgotten with the session. */
export function useKeptReads(): void {
  const { mutate } = useSWRConfig();
  useEffect(() => keepsReads(() => mutate(() => true, undefined)), [mutate]);
}
