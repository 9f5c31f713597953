import type { z } from "zod";
import { errorBody } from "#contract/error-body.ts";
import { errorCatalogue, isErrorCode, type ErrorBody, type ErrorCode } from "#contract/errors.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { createListeners } from "./listeners.ts";

/**
 * A call that was refused or did not arrive. `status` 0 means no answer at all (offline, cut off, timed out).
 * `code` is one of contract/errors.ts, or `network`; `message` is the sentence for a person.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode | "network";
  readonly fields: Readonly<Record<string, string>>;
  readonly conflict: ErrorBody["conflict"];
  readonly requestId: string | undefined;
  /** How long the server wants to be left alone, where it says so. */
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

  /** Why, for a person: the first field's sentence where a field is to blame, because it says more than that something is. */
  get sentence(): string {
    return Object.values(this.fields)[0] ?? this.message;
  }

  /** The server has said no, and nothing was done. Of anything else nobody knows: it may have been done, or be under way. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }
}

type Input<Schema extends z.ZodType | undefined> = Schema extends z.ZodType ? z.input<Schema> : undefined;

export interface CallOptions<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> {
  params?: Input<Params>;
  query?: Input<Query>;
  body?: Input<Body>;
  /** The file of a multipart call. */
  file?: File;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Hears the share of the body that has been sent, from 0 to 1. */
  onProgress?(share: number): void;
}

/** Everything that wants to know that the session has ended registers here; the client itself shows nothing. */
const sessionEnd = createListeners();
export const onSessionEnded = sessionEnd.listen;

/** How often a session has begun while the page was open: what an older one asked for is refused late, and says nothing of this one. */
let sessions = 0;
export const sessionBegan = (): void => void sessions++;

const noAnswer = "We cannot reach the server. Check your connection; nothing you wrote is lost.";

/** Makes one call of contract/endpoints.ts and returns its checked answer, or throws an ApiError. Never shows anything by itself. */
export async function call<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  options: CallOptions<Params, Query, Body> = {},
): Promise<z.output<Response>> {
  return await ask(endpoint, address(endpoint.path, options.params, options.query), options);
}

/**
 * Makes a GET call by its whole `address`. For SWR, whose key that is: it may ask for a key a moment after another one has taken its place, and what
 * is asked then must be the key's, not what the page shows by now.
 */
export async function read<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  url: string,
): Promise<z.output<Response>> {
  return await ask(endpoint, url, {});
}

async function ask<Response extends z.ZodType>(
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, Response>,
  url: string,
  options: Sending,
): Promise<z.output<Response>> {
  const session = sessions;
  const answer = await send(endpoint, url, options);
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw refused(answer, body, session);
  const parsed = endpoint.response.safeParse(body);
  if (!parsed.success) throw new ApiError(answer.status, "internal", errorCatalogue.internal.sentence);
  return parsed.data;
}

/** Makes a call whose answer is a file, and gives it under the name the server proposes. Throws an ApiError. */
export async function download<Params extends z.ZodType, Query extends z.ZodType>(
  endpoint: Endpoint<Params, Query, z.ZodUndefined>,
  options: Pick<CallOptions<Params, Query, z.ZodUndefined>, "params" | "query">,
): Promise<File> {
  const session = sessions;
  const answer = await send(endpoint as unknown as Endpoint, address(endpoint.path, options.params, options.query), {});
  if (!answer.ok) throw refused(answer, await answer.json().catch(() => undefined), session);
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "download";
  return new File([await answer.blob()], name);
}

/** What a call sends beside its address. */
type Sending = Omit<CallOptions<z.ZodType, z.ZodType, z.ZodType>, "params" | "query">;

async function send(endpoint: Endpoint, url: string, options: Sending): Promise<Response> {
  const { onProgress } = options;
  const init: RequestInit = {
    method: endpoint.method,
    credentials: "include",
    headers: { accept: "application/json", ...contentType(endpoint), ...options.headers },
    body: payload(endpoint, options),
    signal: options.signal,
  };
  try {
    return await (onProgress ? fetchWithProgress(url, init, onProgress) : fetch(url, init));
  } catch (cause) {
    if (options.signal?.aborted && (options.signal.reason as Error).name !== "TimeoutError") throw cause;
    throw new ApiError(0, "network", noAnswer);
  }
}

function contentType(endpoint: Endpoint): Record<string, string> {
  return endpoint.multipart ? {} : { "content-type": "application/json" }; // the browser writes the multipart boundary itself
}

function payload(endpoint: Endpoint, { body, file }: { body?: unknown; file?: File }): BodyInit | undefined {
  if (!endpoint.multipart) return body === undefined ? undefined : JSON.stringify(body);
  const form = new FormData();
  if (file) form.set(endpoint.multipart, file);
  return form;
}

/** Fills `{name}` in a path and adds the query; exported for SWR keys and tests. */
export function address(path: string, params?: unknown, query?: unknown): string {
  const values = (params ?? {}) as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search === "" ? filled : `${filled}?${search}`;
}

function refused({ status, headers }: Response, body: unknown, session: number): ApiError {
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
  if (error.code === "unauthenticated" && session === sessions) sessionEnd.tell();
  return error;
}

/**
 * `fetch` for what takes a while to send: `onProgress` hears the share that has been sent, from 0 to 1. Only what
 * the calls above need of fetch; rejects with a TypeError when no answer comes.
 */
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
