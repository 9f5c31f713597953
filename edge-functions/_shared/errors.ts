import { errorCatalogue, type ErrorBody, type ErrorCode } from "#contract/errors.ts";

interface Details {
  /** Sentences at the fields they belong to. */
  fields?: Record<string, string>;
  conflict?: ErrorBody["conflict"];
  /** Seconds until another attempt makes sense. */
  retryAfter?: number;
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
  const { fields, conflict, retryAfter } = error.details;
  return {
    body: { error: error.message, code: error.code, fields, conflict, request_id: error.code === "internal" ? requestId : undefined },
    headers: retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(retryAfter)) },
  };
}
