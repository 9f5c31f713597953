import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { registerCache } from "./clear-cached-reads.ts";

export function useClearableCache(): void {
  const { mutate } = useSWRConfig();
  useEffect(() => registerCache(() => mutate(() => true, undefined)), [mutate]);
}
