import { memberCookie } from "#contract/session-cookies.ts";
import { cookieOf } from "./cookie.ts";

/** True if this browser was recently signed in (shows "Edit this post"), by a cookie on our own host. A hint only. */
export const mayEdit = (headers: Headers, subdomain: string): boolean =>
  cookieOf(headers, memberCookie)?.split(".").includes(subdomain) ?? false;
