import useSWR, { type SWRConfiguration, type SWRResponse } from "swr";
import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { address, read, type ApiError, type CallOptions } from "./api-client.ts";
import { useClearableCache } from "./use-clearable-cache.ts";

export function useCall<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  options: Pick<CallOptions<Params, Query, Body>, "params" | "query"> | null,
  config?: SWRConfiguration<z.output<Response>, ApiError>,
): SWRResponse<z.output<Response>, ApiError> {
  useClearableCache();
  const key = options === null ? null : address(endpoint.path, options.params, options.query);
  return useSWR<z.output<Response>, ApiError>(key, (url: string) => read(endpoint, url), config);
}
