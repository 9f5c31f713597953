import { memberCookie } from "#contract/session-cookies.ts";

/**
 * Whether a reader's browser was lately used to write for this workspace: the app leaves a note for the pages that stand below its own host. It
 * proves nothing and opens nothing: it decides whether "Edit this post" is there, which leads to where signing in is asked for. Pages at a
 * customer's own name never get it.
 */
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
