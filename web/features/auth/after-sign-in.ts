import { safeReturnPath } from "#contract/rules/safe-return-path.ts";
import { paths } from "../../lib/paths.ts";

/** Path after sign-in: returnUrl (its query only with a token), redirectTo, the workspace's dashboard, or the list. Null for a returnUrl of another site. Source: specification, section 4. */
export function afterSignIn(query: URLSearchParams, workspaceId: string | null, origin: string): string | null {
  const returnUrl = query.get("returnUrl");
  if (returnUrl !== null) {
    const path = safeReturnPath(returnUrl, origin) ?? safeReturnPath(decoded(returnUrl), origin);
    return path && withTokenOnly(new URL(path, origin));
  }
  return safeReturnPath(query.get("redirectTo"), origin) ?? (workspaceId ? paths.dashboard(workspaceId) : paths.workspaces);
}

const withTokenOnly = ({ pathname, search, searchParams }: URL): string => (searchParams.has("token") ? pathname + search : pathname);

/** For URLs that were encoded twice. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** Path after an identity provider: as after the form if it started there, else `next`, else the workspaces. */
export function afterProvider(next: string | null, workspaceId: string | null, origin: string): string {
  const path = safeReturnPath(next, origin);
  if (path === null) return paths.anyWorkspace;
  const { pathname, searchParams } = new URL(path, origin);
  if (pathname !== paths.auth()) return path;
  return searchParams.has("returnUrl") || searchParams.has("redirectTo")
    ? (afterSignIn(searchParams, workspaceId, origin) ?? paths.workspaces)
    : paths.anyWorkspace;
}

/** Query of the sign-in page that continues at a path. */
export const redirectTo = (path: string): string => new URLSearchParams({ redirectTo: path }).toString();
