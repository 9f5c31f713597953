/** The id the front door gave this request, or a new one; it stands in the answer, in the log and in nothing else. */
export function requestId(headers: Headers): string {
  const given = headers.get("x-request-id");
  return given !== null && /^[\w-]{8,64}$/.test(given) ? given : crypto.randomUUID();
}
