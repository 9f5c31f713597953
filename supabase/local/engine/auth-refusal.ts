/** A refusal in the form of hosted's auth service (GoTrue), readable for pages elsewhere as lite's own are. */
export const refuseAuth = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code: status, error_code: code, msg: message }, { status, headers: { "access-control-allow-origin": "*", ...headers } });
