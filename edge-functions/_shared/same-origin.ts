import { AppError } from "./errors.ts";

/**
 * Refuses a write that another site's page may have caused. A write that a cookie signs needs the Origin of our own pages;
 * without a cookie an Origin may be missing (scripts), but not be somebody else's.
 */
export function requireSameOrigin(headers: Headers, publicUrl: string, signedByCookie: boolean): void {
  const origin = headers.get("origin");
  if (origin === null ? signedByCookie : !isOwnOrigin(origin, headers, publicUrl)) throw new AppError("cross_origin");
}

/** The product's public origin, or the host the front door was asked for (which overwrites what a client says). */
function isOwnOrigin(origin: string, headers: Headers, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  const host = headers.get("x-forwarded-host");
  return host !== null && origin === `${headers.get("x-forwarded-proto") ?? new URL(publicUrl).protocol.slice(0, -1)}://${host}`;
}
