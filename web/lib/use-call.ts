import useSWR, { type SWRConfiguration, type SWRResponse } from "swr";
import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { address, call, read, type ApiError, type CallOptions } from "./api-client.ts";
import { useClearableCache } from "./use-clearable-cache.ts";

/** Makes a call, then repeats the read that it changes. Throws ApiError. */
export type Write = typeof call;

/** A cached read, and how to change what it reads. */
export function useCall<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  options: Pick<CallOptions<Params, Query, Body>, "params" | "query"> | null,
  config?: SWRConfiguration<z.output<Response>, ApiError>,
): SWRResponse<z.output<Response>, ApiError> & { write: Write } {
  useClearableCache();
  const key = options === null ? null : address(endpoint.path, options.params, options.query);
  const response = useSWR<z.output<Response>, ApiError>(key, (url: string) => read(endpoint, url), config);
  const write: Write = async (...request) => {
    const answer = await call(...request);
    await response.mutate();
    return answer;
  };
  return Object.assign(response, { write });
}
