/** Hono pattern; `{slug}` matches case-insensitively. */
export const patternOf = (route: string): string =>
  route
    .replace("{versions}", ":versions{[0-9A-Za-z.+-]{1,130}}")
    .replace(/\{slug\}(.*)$/, (_, ending: string) => `:file{[A-Za-z0-9-]{1,100}${ending.replaceAll(".", "\\.")}}`);

export function slugIn(path: string, route: string): string {
  const [before = "", after = ""] = route.split("{slug}");
  return path.slice(before.length, path.length - after.length);
}

/** The reader's path: behind hosted, the front door sends P as /releases/_P. Leading double slashes would name a host in Location. */
export const asRequested = ({ pathname }: URL): string => pathname.replace(/^\/releases\/_(?=\/)/, "").replace(/^\/{2,}/, "/");

export const pathOf = (url: string): string =>
  asRequested(new URL(url)).replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent);

export const isReading = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
