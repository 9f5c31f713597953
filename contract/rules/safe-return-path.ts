const here = "http://here.invalid";

/**
 * Where to go after signing in: path, query and fragment of this origin, or null. `value` is the decoded `redirectTo` or `returnUrl`;
 * an address of another origin, whichever way it is written, gives null. An absolute address is taken only under the given `origin`. Source: specification, sections 2 and 4.
 */
export function safeReturnPath(value: string | null | undefined, origin?: string): string | null {
  const path = origin !== undefined && value?.startsWith(`${origin}/`) ? value.slice(origin.length) : (value ?? "");
  // Browsers drop tabs and line ends inside an address and read `\` as `/`; nothing honest contains them.
  if (path.length > 2_048 || !/^\/(?![/\\])[^\\\0-\x1f\x7f]*$/.test(path) || !URL.canParse(path, here)) return null;
  const url = new URL(path, here);
  // `/.//elsewhere` resolves to `//elsewhere`, which would leave when followed.
  return url.origin === here && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : null;
}
