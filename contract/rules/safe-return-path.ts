const baseOrigin = "http://here.invalid";

/**
 * Same-origin path, query and fragment to go to after sign-in, or null (prevents open redirects). `value` is the decoded `redirectTo` or
 * `returnUrl`; absolute URLs are accepted only for the given `origin`. Source: specification, sections 2 and 4.
 */
export function safeReturnPath(value: string | null | undefined, origin?: string): string | null {
  const path = origin !== undefined && value?.startsWith(`${origin}/`) ? value.slice(origin.length) : (value ?? "");
  // Browsers strip tabs and line breaks in URLs and read `\` as `/`.
  if (path.length > 2_048 || !/^\/(?![/\\])[^\\\0-\x1f\x7f]*$/.test(path) || !URL.canParse(path, baseOrigin)) return null;
  const url = new URL(path, baseOrigin);
  // `/.//elsewhere` resolves to `//elsewhere`, a protocol-relative URL.
  return url.origin === baseOrigin && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : null;
}
