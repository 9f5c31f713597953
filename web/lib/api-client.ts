import type { z } from "zod";
import { errorBody } from "#contract/error-body.ts";
import { errorCatalogue, isErrorCode, type ErrorBody, type ErrorCode } from "#contract/errors.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { createListeners } from "./listeners.ts";
import { forgetStartedReads, jsonContent, takeStartedRead } from "./started-reads.ts";

/** A failed call. `status` 0: no response. `code` is one of contract/errors.ts or `network`; `message` is meant for the user. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | "network";
  readonly fields: Readonly<Record<string, string>>;
  readonly conflict: ErrorBody["conflict"];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, code: ErrorCode | "network", message: string, body?: Partial<ErrorBody>, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = body?.fields ?? {};
    this.conflict = body?.conflict;
    this.requestId = body?.request_id;
    this.retryAfterMs = retryAfterMs;
  }

  /** Message for the user: the first field error, which is more specific, or the general one. */
  get sentence(): string {
    return Object.values(this.fields)[0] ?? this.message;
  }

  /** True if the server rejected the call, so nothing was done. Otherwise the outcome is unknown. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }
}

/** The message for the user about a failed call. */
export const sentenceOf = (error: unknown, otherwise = "Please try again later"): string =>
  error instanceof ApiError ? error.sentence : otherwise;

type Input<Schema extends z.ZodType | undefined> = Schema extends z.ZodType ? z.input<Schema> : undefined;

export interface CallOptions<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  params?: Input<Params>;
  query?: Input<Query>;
  body?: Input<Body>;
  file?: File;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  onProgress?(share: number): void;
}

const sessionEnd = createListeners();
export const onSessionEnded = sessionEnd.listen;

/** Session counter: a late 401 of an earlier session must not end the current one. */
let sessions = 0;
export function sessionBegan(): void {
  sessions++;
  forgetStartedReads();
}

const noAnswer = "We can't reach the server. Check your connection. Nothing you wrote is lost.";

/** Makes one call of contract/endpoints.ts and returns its validated response. Throws ApiError. */
export async function call<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  options: CallOptions<Params, Query, Body> = {},
): Promise<z.output<Response>> {
  return await request(endpoint, address(endpoint.path, options.params, options.query), options);
}

/** SWR fetcher by URL. Race: SWR may fetch a key just after another replaced it, so the URL comes from the key. Throws ApiError. */
export async function read<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  url: string,
): Promise<z.output<Response>> {
  return await request(endpoint, url, {});
}

async function request<Response extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, Response>,
  url: string,
  options: RequestOptions,
): Promise<z.output<Response>> {
  const session = sessions;
  const response = await send(endpoint, url, options);
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toApiError(response, body, session);
  const parsed = endpoint.response.safeParse(body);
  if (!parsed.success) throw new ApiError(response.status, "internal", errorCatalogue.internal.sentence);
  return parsed.data;
}

/** Downloads a file under the name the server suggests. Throws ApiError. */
export async function download<Params extends z.ZodType, Query extends z.ZodType>(
  endpoint: Endpoint<Params, Query, z.ZodUndefined>,
  options: Pick<CallOptions<Params, Query, z.ZodUndefined>, "params" | "query">,
): Promise<File> {
  const session = sessions;
  const response = await send(endpoint as unknown as Endpoint, address(endpoint.path, options.params, options.query), {});
  if (!response.ok) throw toApiError(response, await response.json().catch(() => undefined), session);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "download";
  return new File([await response.blob()], name);
}

type RequestOptions = Omit<CallOptions<z.ZodType, z.ZodType, z.ZodType>, "params" | "query">;

async function send(endpoint: Endpoint, url: string, options: RequestOptions): Promise<Response> {
  const { onProgress } = options;
  const init = {
    method: endpoint.method,
    credentials: "include",
    headers: { accept: "application/json", ...contentType(endpoint), ...options.headers },
    body: payload(endpoint, options),
    signal: options.signal,
  } satisfies RequestInit;
  try {
    return await (takeStartedRead(init.method, url) ?? (onProgress ? fetchWithProgress(url, init, onProgress) : fetch(url, init)));
  } catch (cause) {
    if (options.signal?.aborted && (options.signal.reason as Error).name !== "TimeoutError") throw cause;
    throw new ApiError(0, "network", noAnswer);
  }
}

function contentType(endpoint: Endpoint): Record<string, string> {
  return endpoint.multipart ? {} : jsonContent;
}

function payload(endpoint: Endpoint, { body, file }: { body?: unknown; file?: File }): BodyInit | undefined {
  if (!endpoint.multipart) return body === undefined ? undefined : JSON.stringify(body);
  const form = new FormData();
  if (file) form.set(endpoint.multipart, file);
  return form;
}

/** Fills `{name}` in a path and adds the query. */
export function address(path: string, params?: unknown, query?: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

function toApiError({ status, headers }: Response, body: unknown, session: number): ApiError {
  const parsed = errorBody.safeParse(body);
  const seconds = headers.get("retry-after");
  const error =
    parsed.success && isErrorCode(parsed.data.code)
      ? new ApiError(status, parsed.data.code, parsed.data.error, parsed.data, seconds === null ? undefined : Number(seconds) * 1_000)
      : new ApiError(
          status,
          status === 413 ? "body_too_large" : "unavailable",
          errorCatalogue[status === 413 ? "body_too_large" : "unavailable"].sentence,
        );
  if (error.code === "unauthenticated" && session === sessions) sessionEnd.notify();
  return error;
}

function fetchWithProgress(url: string, init: RequestInit, onProgress: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? "GET", url);
    request.withCredentials = init.credentials === "include";
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onProgress(loaded / total);
    request.onload = () => {
      const retryAfter = request.getResponseHeader("retry-after");
      const headers = retryAfter === null ? undefined : { "retry-after": retryAfter };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = request.ontimeout = () => reject(new TypeError("The request failed"));
    request.onabort = () => reject(new DOMException("Aborted", "AbortError"));
    init.signal?.addEventListener("abort", () => request.abort());
    request.send(init.body as XMLHttpRequestBodyInit | null | undefined);
  });
}
