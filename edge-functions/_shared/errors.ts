import { errorCatalogue, type ErrorBody, type ErrorCode } from "#contract/errors.ts";

interface Details {
  /** Sentences at the fields they belong to. */
  fields?: Record<string, string>;
  conflict?: ErrorBody["conflict"];
  /** Seconds until another attempt makes sense. */
  retryAfter?: number;
  /** What the key that came is not allowed. */
  scope?: string;
  /** The kind of credentials that the call takes, for who came with others, and where they are to be had. */
  challenge?: "Bearer" | `Bearer ${string}`;
  cause?: unknown;
}

/** A refusal a person may read: one code of the catalogue. Anything else that is thrown is answered as `internal`. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(errorCatalogue[code].sentence, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

/** The body and headers of a refusal, in the one shape of contract/errors.ts. */
export function presentError(error: AppError, requestId: string): { body: ErrorBody; headers: Record<string, string> } {
  const { fields, conflict, retryAfter, scope, challenge } = error.details;
  const asked = challenge ?? (scope === undefined ? undefined : `Bearer error="insufficient_scope", scope="${scope}"`);
  return {
    body: {
      error: error.message,
      code: error.code,
      fields,
      conflict,
      scope,
      request_id: error.code === "internal" ? requestId : undefined,
    },
    headers: {
      ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
      ...(asked !== undefined && { "www-authenticate": asked }),
    },
  };
}
