import { memberCookie } from "#contract/session-cookies.ts";

/** True if this browser was recently signed in (shows "Edit this post"), by a cookie on our own host. A hint only. */
export function mayEdit(headers: Headers, subdomain: string): boolean {
  const cookies = headers.get("cookie") ?? "";
  if (!cookies.includes(memberCookie)) return false;
  const noted = cookies.split(/;\s*/).find((cookie) => cookie.startsWith(`${memberCookie}=`));
  return (
    noted !== undefined &&
    noted
      .slice(memberCookie.length + 1)
      .split(".")
      .includes(subdomain)
  );
}
