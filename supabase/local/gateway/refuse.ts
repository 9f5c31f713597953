import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";

export function refuse(code: ErrorCode, headers: HeadersInit = {}): Response {
  const { status, sentence } = errorCatalogue[code];
  return Response.json({ error: sentence, code }, { status, headers });
}

const soon = { "retry-after": "1" };

/** A 503 in the format of the given Supabase service, otherwise in the contract's. */
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

export function storageFull(): Response {
  const { status, sentence } = errorCatalogue.storage_full;
  const body = { statusCode: String(status), error: "storage_full", message: sentence };
  return Response.json(body, { status, headers: { "access-control-allow-origin": "*" } });
}
