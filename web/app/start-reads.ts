import { startRead } from "../lib/api-client.ts";
import { hasSessionCookie } from "../lib/has-session-cookie.ts";

/** Requests what a page will read while its code loads. URLs are written out, so that the first chunk stays small. */
export function startReads(): void {
  if (!hasSessionCookie()) return;
  const [, id, page] = /^\/workspace\/([\w-]+)(?:\/(\w+))?/.exec(location.pathname) ?? [];
  startRead("/api/profiles/me");
  if (id === undefined) return;
  startRead("/api/workspaces");
  startRead(`/api/team/role/${id}`);
  if (page === "dashboard") startRead(`/api/dashboard/${id}/all`);
}
