import type { z } from "zod";
import type { ApiKeyScope } from "./api-key-scopes.ts";
import type { ErrorCode } from "./errors.ts";
import type { Role } from "./kinds.ts";
import type { RateLimitName } from "./rate-limits.ts";

/** A call of programs, with an API key that has this scope; null: with any key. */
export interface KeyAccess {
  readonly scope: ApiKeyScope | null;
  /** The tokens of assistants that were connected by OAuth are taken as well. */
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

/** Who may make a call: anybody, any signed-in person, members with one of these roles in the workspace concerned, or programs by their key. */
export type Access = "public" | "signed-in" | readonly Role[] | KeyAccess;

export const isForKeys = (access: Access): access is KeyAccess => typeof access === "object" && "scope" in access;

/**
 * One call of the product. `path` names its parameters in braces; `status` is that of the success answer, where 302 means
 * a redirect to the answer's `location`.
 * `body` is JSON unless `multipart` names the one file field. `errors` are those beyond the common ones
 * (unauthenticated, not_found, validation_failed, invalid_json, body_too_large, unsupported_media_type, rate_limited, internal, storage_full, unavailable).
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly access: Access;
  /** How often it may be called: a line of `rateLimits` in limits.ts. */
  readonly limit?: RateLimitName;
  /** Takes an Idempotency-Key header: the same key and request give the first answer again. */
  readonly idempotent?: true;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The body may be as long as a post is. */
  readonly carriesContent?: true;
  readonly multipart?: string;
  /** Of a multipart call: the file may as well be the body itself, of such a type. */
  readonly orBareFile?: `${string}/*`;
  /** The body is JSON that is taken byte by byte, whatever its type is called: what signed it signed its bytes. */
  readonly raw?: true;
  /**
   * Speaks a protocol of its own: its JSON is handed on as it came, and so is the answer. What a page of another site sends is refused, as that
   * protocol asks, and who has no key is told where to get one.
   */
  readonly protocol?: "mcp";
  /** The answer has an ETag that begins with the version. A `read` takes If-None-Match, a `write` If-Match: one that is stale is refused. */
  readonly conditional?: "read" | "write";
  /** The answer is also there in that form, for who accepts nothing else more gladly. */
  readonly alsoAs?: "text/markdown";
  /** 201 as well: where something was made. */
  readonly alsoCreates?: true;
  /** A body as it could be, for who reads about the call. */
  readonly example?: z.input<Body>;
  /** The answer is a file of that type to keep, not read on the way: `response` says what is in it. */
  readonly download?: DownloadType;
  /** Types that the file may have instead, as the call asks. */
  readonly otherDownloads?: readonly DownloadType[];
  readonly response: Response;
  readonly status: 200 | 201 | 302;
  readonly errors?: readonly ErrorCode[];
}

/** Keeps the literal types of a call while checking its shape. */
export function endpoint<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends z.ZodType = z.ZodType,
>(definition: Endpoint<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  return definition;
}
