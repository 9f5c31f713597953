import type { PostgresConnection } from "./types.d.ts";

interface DatabaseError {
  code?: string;
  message?: string;
  detail?: string | null;
  hint?: string | null;
}

/** SQLSTATE classes that PostgREST passes on with hint and details. */
const handedOn = /^(P0|23|40|53|54|55|57)/;

/** Formats database errors like PostgREST. Code PGRST lets SQL set status and body (detail and message). */
export function answerAsPostgrest(connection: PostgresConnection): void {
  const normalize = connection.normalizeDbError.bind(connection);
  connection.normalizeDbError = (thrown) => {
    const error = normalize(thrown) as DatabaseError | null;
    if (typeof error?.code !== "string" || !handedOn.test(error.code)) return error;
    const body = { code: error.code, message: error.message, details: error.detail || null, hint: error.hint ?? null };
    return { code: "PGRST", message: JSON.stringify(body), detail: JSON.stringify({ status: statusOf(error.code), headers: {} }) };
  };
}

/** Source: PostgREST's error table. */
function statusOf(sqlState: string): number {
  if (sqlState === "23503" || sqlState === "23505") return 409;
  if (sqlState.startsWith("53")) return 503;
  return sqlState.startsWith("P0") || sqlState.startsWith("23") ? 400 : 500;
}
