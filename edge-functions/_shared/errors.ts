import { errorCatalogue, type ErrorBody, type ErrorCode } from "#contract/errors.ts";

interface Details {
  fields?: Record<string, string>;
  conflict?: ErrorBody["conflict"];
  retryAfter?: number;
  scope?: string;
  /** Replaces the sentence of the code. */
  sentence?: string;
  challenge?: "Bearer" | `Bearer ${string}`;
  cause?: unknown;
}

export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.sentence ?? errorCatalogue[code].sentence, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }
}

export function presentError(error: AppError, requestId: string): { body: ErrorBody; headers: Record<string, string> } {
  const { fields, conflict, retryAfter, scope, challenge } = error.details;
  const authenticate = challenge ?? (scope === undefined ? undefined : `Bearer error="insufficient_scope", scope="${scope}"`);
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
      ...(authenticate !== undefined && { "www-authenticate": authenticate }),
    },
  };
}
