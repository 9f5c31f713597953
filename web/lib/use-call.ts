import useSWR, { type SWRConfiguration, type SWRResponse } from "swr";
import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { address, read, type ApiError, type CallOptions } from "./api-client.ts";
import { useKeptReads } from "./use-kept-reads.ts";

/**
 * Reads one GET call of the contract and keeps its answer; every reader of the same address shares one request.
 * `options` null: not yet (nothing is asked). The key is the call's address, so `mutate(address(…))` refreshes it.
 */
export function useCall<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  options: Pick<CallOptions<Params, Query, Body>, "params" | "query"> | null,
  config?: SWRConfiguration<z.output<Response>, ApiError>,
): SWRResponse<z.output<Response>, ApiError> {
  useKeptReads();
  const key = options === null ? null : address(endpoint.path, options.params, options.query);
  return useSWR<z.output<Response>, ApiError>(key, (url: string) => read(endpoint, url), config);
}
