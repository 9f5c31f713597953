import { z } from "zod";
import type { ApiKeyScope } from "./api-key-scopes.ts";
import type { ErrorCode } from "./errors.ts";
import { id } from "./fields.ts";
import type { Role } from "./kinds.ts";
import type { RateLimitName } from "./rate-limits.ts";

export interface KeyAccess {
  readonly scope: ApiKeyScope | null;
  readonly alsoAssistants?: true;
}

export type DownloadType =
  | "application/json"
  | "application/jsonl"
  | "application/zip"
  | "application/feed+json"
  | "text/csv"
  | "text/markdown"
  | "image/png";

/** Anyone, any signed-in person, members with one of these roles in the workspace, or API keys. */
export type Access = "public" | "signed-in" | readonly Role[] | KeyAccess;

export const isForKeys = (access: Access): access is KeyAccess => typeof access === "object" && "scope" in access;

/** UTC days, and where the replacement is described. Policy: docs/api.md, "Versions". */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  readonly link: string;
}

interface Definition<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType> {
  readonly summary: string;
  readonly details?: string;
  readonly access: Access;
  readonly limit?: RateLimitName;
  /** Accepts an Idempotency-Key header: a repeated request returns the first response. */
  readonly idempotent?: true;
  /** Default: every parameter of the path is an id. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly carriesContent?: true;
  readonly multipart?: string;
  /** Multipart only: also accepts the bare file as body, of this type. */
  readonly orBareFile?: `${string}/*`;
  /** JSON body passed as raw bytes, whatever its content type: the signature covers the bytes. */
  readonly raw?: true;
  readonly protocol?: "mcp";
  /** ETag that starts with the version. A `read` honours If-None-Match, a `write` If-Match (stale: refused). */
  readonly conditional?: "read" | "write";
  /** Content negotiation: also available in this type. */
  readonly alsoAs?: "text/markdown";
  readonly alsoCreates?: true;
  readonly example?: z.input<Body>;
  /** File download of this type, not parsed on the way; `response` describes its content. */
  readonly download?: DownloadType;
  readonly otherDownloads?: readonly DownloadType[];
  readonly response: Response;
  /** Status of success: 200 by default, 302 redirects to the response's `location`. */
  readonly status?: 201 | 302;
  readonly errors?: readonly ErrorCode[];
  readonly deprecated?: Deprecation;
}

/**
 * One API call. `path` has its parameters in braces. `body` is JSON unless `multipart` names the file field. `errors` are in addition to
 * the common ones (unauthenticated, not_found, validation_failed, invalid_json, body_too_large, unsupported_media_type, rate_limited,
 * internal, storage_full, unavailable; forbidden if `access` leaves out a role).
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> extends Omit<Definition<Params, Query, Body, Response>, "status"> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: `/api/${string}`;
  readonly status: 200 | 201 | 302;
}

type ParameterOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;
type IdsOf<Path extends string> = z.ZodType<Record<ParameterOf<Path>, string>, Record<ParameterOf<Path>, string>>;

export function endpoint<
  Call extends `${Endpoint["method"]} ${Endpoint["path"]}`,
  Params extends z.ZodType = IdsOf<Call>,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodType,
>(call: Call, definition: Definition<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  const [method, path] = call.split(" ") as [Endpoint["method"], Endpoint["path"]];
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, id]);
  const params = ids.length === 0 ? {} : { params: z.object(Object.fromEntries(ids)) as unknown as Params };
  return { status: 200, ...params, ...definition, method, path };
}
