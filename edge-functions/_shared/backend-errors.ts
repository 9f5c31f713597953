import { type AuthError, isAuthError, isAuthRetryableFetchError } from "@supabase/supabase-js";
import { errorCatalogue, isErrorCode, type ErrorBody, type ErrorCode } from "#contract/errors.ts";
import { AppError } from "./errors.ts";

const fieldOf: Partial<Record<ErrorCode, string>> = {
  subdomain_taken: "subdomain",
  subdomain_reserved: "subdomain",
  slug_taken: "slug",
  domain_taken: "host",
  sign_up_by_domain: "email",
};

const ofConstraint: Record<string, ErrorCode> = { workspaces_subdomain_key: "subdomain_taken", posts_slug_key: "slug_taken" };

/** SQLSTATE, its class, or PostgREST's code → ours. Business errors are P0001 with our code as hint. */
const ofDatabase: Record<string, ErrorCode> = {
  "42501": "forbidden", // insufficient privilege, and rows rejected by a policy
  "23502": "validation_failed",
  "23503": "not_found",
  "23514": "validation_failed",
  "22": "validation_failed",
  PGRST116: "not_found",
  PGRST301: "unauthenticated",
  PGRST302: "unauthenticated",
  PGRST303: "unauthenticated",
  PGRST000: "unavailable",
  PGRST001: "unavailable",
  PGRST002: "unavailable",
  PGRST003: "unavailable",
  "08": "unavailable",
  "40": "unavailable",
  "53": "unavailable",
  "53100": "storage_full",
  "55P03": "unavailable",
  "57": "unavailable",
};

const ofAuth: Record<string, ErrorCode> = {
  invalid_credentials: "invalid_credentials",
  user_banned: "invalid_credentials",
  email_not_confirmed: "email_not_confirmed",
  otp_expired: "link_invalid",
  captcha_failed: "captcha_failed",
  over_request_rate_limit: "rate_limited",
  over_email_send_rate_limit: "rate_limited",
  session_not_found: "unauthenticated",
  session_expired: "unauthenticated",
  refresh_token_not_found: "unauthenticated",
  refresh_token_already_used: "unauthenticated",
  bad_jwt: "unauthenticated",
  no_authorization: "unauthenticated",
};

/** Storage status → ours; 0: no response. */
const ofStorage: Record<number, ErrorCode> = {
  0: "unavailable",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  413: "body_too_large",
  415: "file_not_image",
  429: "rate_limited",
  502: "unavailable",
  503: "unavailable",
  507: "storage_full",
};

export interface DatabaseError {
  code: string;
  message?: string;
  details?: string | null;
  hint?: string | null;
}

/** Status without a PostgREST error → ours; 0: no response. */
const ofStatus: Record<number, ErrorCode> = {
  0: "unavailable",
  413: "body_too_large",
  429: "rate_limited",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

export function fromDatabase(error: DatabaseError, status: number): AppError {
  if (isErrorCode(error.hint)) return raised(error.hint, error.details ?? "", error);
  const message = error.message ?? "";
  const constraint = Object.keys(ofConstraint).find((name) => message.includes(`"${name}"`));
  const code = constraint ? ofConstraint[constraint] : (ofDatabase[error.code] ?? ofDatabase[error.code?.slice(0, 2) ?? ""]);
  if (code) return raised(code, "", error);
  return new AppError(ofStatus[status] ?? "internal", { cause: error });
}

/** GoTrue's code is ambiguous: true if the address was just emailed, false if the project's email quota is used up. */
export const wasJustWrittenTo = ({ code, message }: AuthError): boolean =>
  code === "over_email_send_rate_limit" && message.startsWith("For security purposes");

/** Retry time of the quota; the actual rate is a project setting we can't read. */
const nextMailSeconds = 60;

export function fromAuth(error: unknown): AppError {
  if (isAuthRetryableFetchError(error)) return new AppError("unavailable", { retryAfter: 1, cause: error });
  if (!isAuthError(error)) return new AppError("internal", { cause: error });
  if (error.code === "weak_password") return new AppError("validation_failed", { fields: { password: error.message } });
  if (error.code === "email_address_invalid")
    return new AppError("validation_failed", { fields: { email: "Please enter a valid email address" } });
  if (error.code === "over_email_send_rate_limit" && !wasJustWrittenTo(error)) {
    return new AppError("unavailable", { retryAfter: nextMailSeconds, cause: error });
  }
  const code = ofAuth[error.code ?? ""] ?? (error.status === 429 ? "rate_limited" : "internal");
  return new AppError(code, { retryAfter: code === "rate_limited" ? 60 : undefined, cause: error });
}

export function fromStorage(error: { message: string; status?: number; statusCode?: string | number }): AppError {
  const own = Number(error.statusCode ?? Number.NaN);
  const code =
    ofStorage[Number.isNaN(own) ? (error.status ?? 0) : own] ?? (error.message.includes("row-level security") ? "forbidden" : "internal");
  return new AppError(code, { retryAfter: code === "rate_limited" ? 1 : undefined, cause: error });
}

function raised(code: ErrorCode, detail: string, cause: unknown): AppError {
  const field = fieldOf[code];
  const sentence = field === undefined ? undefined : { [field]: errorCatalogue[code].sentence };
  return new AppError(code, {
    cause,
    fields: code === "validation_failed" ? parse<Record<string, string>>(detail) : sentence,
    conflict: code === "version_conflict" ? conflictOf(detail) : undefined,
    scope: code === "scope_missing" ? parse<{ scope: string }>(detail)?.scope : undefined,
    retryAfter: code === "unavailable" || code === "rate_limited" ? 1 : undefined,
  });
}

function conflictOf(detail: string): ErrorBody["conflict"] {
  const conflict = parse<NonNullable<ErrorBody["conflict"]>>(detail);
  return conflict && { ...conflict, updated_at: new Date(conflict.updated_at).toISOString() };
}

function parse<Value>(detail: string): Value | undefined {
  return detail === "" ? undefined : (JSON.parse(detail) as Value);
}
