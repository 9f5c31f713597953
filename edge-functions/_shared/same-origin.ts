import { AppError } from "./errors.ts";

/** CSRF: a cookie-authenticated write needs our own Origin; without a cookie it may be missing (scripts) but not foreign. */
export function requireSameOrigin(headers: Headers, publicUrl: string, signedByCookie: boolean): void {
  const origin = headers.get("origin");
  if (origin === null ? signedByCookie : !isOwnOrigin(origin, headers, publicUrl)) throw new AppError("cross_origin");
}

/** The public URL, or the host that the front door forwards (overwriting the client's header). */
function isOwnOrigin(origin: string, headers: Headers, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  const host = headers.get("x-forwarded-host");
  return host !== null && origin === `${headers.get("x-forwarded-proto") ?? new URL(publicUrl).protocol.slice(0, -1)}://${host}`;
}
