import "./lib/trusted-types.ts";
import "./lib/zod-without-eval.ts";
import { hasSessionCookie } from "./lib/has-session-cookie.ts";
import { startRead } from "./lib/started-reads.ts";
import "virtual:fonts.css";
import "./styles/index.css";

/**
 * Requests the page's data and code together with the app's, which they'd otherwise wait for. Static imports and URLs are few and written out, so
 * that this runs before the app's code has loaded.
 */
const [, id, page, post] = /^\/workspace\/([\w-]+)(?:\/(\w+)(?:\/edit\/([\w-]+)$)?)?/.exec(location.pathname) ?? [];

function startReads(): void {
  startRead("/api/profiles/me");
  if (id === undefined) return;
  startRead("/api/workspaces");
  startRead(`/api/team/role/${id}`);
  if (page === "dashboard") startRead(`/api/dashboard/${id}/all`);
  if (post !== undefined) startRead(`/api/posts/${post}?threads=true`);
}

/** Failures are left to the router, which loads the page again. */
function loadPage(): void {
  const parts: Promise<unknown>[] = [];
  if (location.pathname === "/auth") parts.push(import("./pages/auth-page.tsx"));
  if (hasSessionCookie()) parts.push(import("./app/signed-in.tsx"));
  if (hasSessionCookie() && id !== undefined) {
    parts.push(import("./app/workspace-layout.tsx"));
    if (page === "dashboard") parts.push(import("./pages/dashboard-page.tsx"));
    if (page === "changelog") parts.push(import("./features/editor/page/changelog-layout.tsx"), import("./pages/edit-post-page.tsx"));
    if (post !== undefined) parts.push(import("./features/editor/block-editor.tsx"));
  }
  for (const part of parts) part.catch(() => {});
}

if (hasSessionCookie()) startReads();
/** A fast connection would otherwise run the app before the shell is painted. Hidden pages aren't painted. */
const painted = new Promise<void>((done) =>
  document.visibilityState === "hidden" ? done() : requestAnimationFrame(() => setTimeout(done)),
);
void painted.then(() => {
  void import("./main.tsx");
  loadPage();
});
