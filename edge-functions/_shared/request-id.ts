/** From the front door, else new; appears in the response and the log. */
export function requestId(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && /^[\w-]{8,64}$/.test(given) ? given : crypto.randomUUID();
}
