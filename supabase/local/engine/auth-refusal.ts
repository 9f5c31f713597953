/** An error in GoTrue's format, with CORS headers like lite's. */
export const refuseAuth = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code: status, error_code: code, msg: message }, { status, headers: { "access-control-allow-origin": "*", ...headers } });
