/** From the front door, else new; appears in the response and the log. */
export function requestId(headers: Headers): string {
  const forwardedId = headers.get("x-request-id");
  return forwardedId !== null && /^[\w-]{8,64}$/.test(forwardedId) ? forwardedId : crypto.randomUUID();
}
