import { decodeJwt } from "jose";
import type { Sql } from "postgres";
import { refuseAuth } from "./auth-refusal.ts";

export interface SessionClaims {
  sub?: string;
  session_id?: string;
}

export function claimsOf(headers: Headers): SessionClaims {
  try {
    return decodeJwt<SessionClaims>((headers.get("authorization") ?? "").replace(/^bearer\s+/i, ""));
  } catch {
    return {};
  }
}

/** False for an ended session, and for one that hasn't given its second factor. */
export async function isLive(sql: Sql, { sub = "", session_id = "" }: SessionClaims): Promise<boolean> {
  const rows = await sql`
    select from auth.sessions where id::text = ${session_id} and user_id::text = ${sub} and (not_after is null or not_after > now())
      and private.is_verified(user_id, id)
  `;
  return rows.length > 0;
}

export const sessionIsGone = (): Response => refuseAuth(403, "session_not_found", "Session from session_id claim in JWT does not exist");
