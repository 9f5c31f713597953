/** A route as Hono has it: `{slug}` is a post's, in any case of its letters. */
export const patternOf = (route: string): string =>
  route.replace(/\{slug\}(.*)$/, (_, ending: string) => `:file{[A-Za-z0-9-]{1,100}${ending.replaceAll(".", "\\.")}}`);

/** The slug in the path of a route with `{slug}`. */
export function slugIn(path: string, route: string): string {
  const [before = "", after = ""] = route.split("{slug}");
  return path.slice(before.length, path.length - after.length);
}

/**
 * The path that a reader requested: hosted, the front door sends every path P of this function as /releases/_P. Two slashes at its beginning would
 * name another host in a Location.
 */
export const asRequested = ({ pathname }: URL): string => pathname.replace(/^\/releases\/_(?=\/)/, "").replace(/^\/{2,}/, "/");

/** The path to route by: escaped letters, digits and the like are the same address. */
export const pathOf = (url: string): string =>
  asRequested(new URL(url)).replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent);

export const isReading = ({ method }: Request): boolean => method === "GET" || method === "HEAD";
