import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";

/** The error body of contract/errors.ts as an answer. */
export function refuse(code: ErrorCode, headers: HeadersInit = {}): Response {
  const { status, sentence } = errorCatalogue[code];
  return Response.json({ error: sentence, code }, { status, headers });
}

const soon = { "retry-after": "1" };

/** A part that is down, as its callers know it: Supabase's services each say it in their own words, ours in the contract's. */
export function unavailable(service?: "auth" | "rest" | "storage" | "realtime"): Response {
  const { status, sentence } = errorCatalogue.unavailable;
  const body = {
    auth: { code: status, error_code: "unexpected_failure", msg: sentence },
    rest: { code: "PGRST001", message: sentence, details: null, hint: null },
    storage: { statusCode: String(status), error: "unavailable", message: sentence },
    realtime: { message: sentence },
  };
  return service
    ? Response.json(body[service], { status, headers: { ...soon, "access-control-allow-origin": "*" } })
    : refuse("unavailable", soon);
}

/** In Storage's own form. */
export function storageFull(): Response {
  const { status, sentence } = errorCatalogue.storage_full;
  const body = { statusCode: String(status), error: "storage_full", message: sentence };
  return Response.json(body, { status, headers: { "access-control-allow-origin": "*" } });
}
