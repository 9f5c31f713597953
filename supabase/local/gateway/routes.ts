import { decodedPath } from "../engine/decoded-path.ts";

/**
 * The routing table of the one origin; deploy/Caddyfile says the same for production. Pure data, so that tests and docs can read it.
 * `host` is "app" for the bare host and "workspace" for {subdomain}.{host} and names of customers' own, where only public surfaces exist.
 */
export type Host = "app" | "workspace";

export type Target =
  /** `below`: the function knows the path with this in front of it. */
  | { kind: "function"; name: string; below?: "/api" }
  /** /functions/v1/{name}/…: the name is in the path, the function sees the rest, as on hosted. */
  | { kind: "function-by-name" }
  /** `forOtherSites`: pages of other sites show what it answers, also those that are isolated from other origins. */
  | { kind: "service"; name: "auth" | "rest" | "storage" | "realtime"; forOtherSites?: true }
  /** Files of dist/{folder}; `fallback` answers a page navigation to a path without a file. */
  | { kind: "static"; folder: "web" | "widget"; fallback?: string }
  | { kind: "health" }
  /** Is not there, however it is written: what a service has and the product does not use. */
  | { kind: "nothing" }
  | { kind: "dev"; page: "mail" | "mail.json" | "widget-host" }
  /** With the query that came along. */
  | { kind: "redirect"; to: string };

export interface Route {
  host: Host | "any";
  /** "*" stands for any characters; a path ending in "/*" also means the path without it. */
  path: string;
  target: Target;
}

/** Read from top to bottom; the first that fits decides. */
export const routes: readonly Route[] = [
  { host: "any", path: "/releases*", target: { kind: "function", name: "releases" } },
  { host: "any", path: "/widget.js", target: { kind: "static", folder: "widget" } },
  { host: "any", path: "/widget-*.js", target: { kind: "static", folder: "widget" } },
  { host: "any", path: "/widget.json", target: { kind: "static", folder: "widget" } },
  { host: "any", path: "/fonts/*", target: { kind: "static", folder: "widget" } },
  { host: "any", path: "/storage/v1/object/public/*", target: { kind: "service", name: "storage", forOtherSites: true } },

  { host: "workspace", path: "/", target: { kind: "redirect", to: "/releases" } },
  { host: "workspace", path: "/sitemap.xml", target: { kind: "function", name: "releases" } },
  { host: "workspace", path: "/robots.txt", target: { kind: "function", name: "releases" } },
  { host: "workspace", path: "/favicon*", target: { kind: "function", name: "releases" } },
  // What another product had at this host leads on to where it is now; anything else is not there.
  { host: "workspace", path: "*", target: { kind: "function", name: "releases" } },

  // Where programs look for what they need to know about signing in; what else they look for there is not there.
  { host: "app", path: "/.well-known/*", target: { kind: "function", name: "api", below: "/api" } },
  { host: "app", path: "/api/*", target: { kind: "function", name: "api" } },
  { host: "app", path: "/ws/*", target: { kind: "function", name: "presence" } },
  { host: "app", path: "/auth/v1/*", target: { kind: "service", name: "auth" } },
  { host: "app", path: "/rest/v1/*", target: { kind: "service", name: "rest" } },
  // An upload that was signed, or begun, would go on after its session has ended.
  { host: "app", path: "/storage/v1/object/upload/sign/*", target: { kind: "nothing" } },
  { host: "app", path: "/storage/v1/upload/*", target: { kind: "nothing" } },
  { host: "app", path: "/storage/v1/*", target: { kind: "service", name: "storage" } },
  { host: "app", path: "/realtime/v1/*", target: { kind: "service", name: "realtime" } },
  { host: "app", path: "/functions/v1/*", target: { kind: "function-by-name" } },
  { host: "app", path: "/healthz", target: { kind: "health" } },
  { host: "app", path: "/readyz", target: { kind: "health" } },
  { host: "app", path: "/dev/mail", target: { kind: "dev", page: "mail" } },
  { host: "app", path: "/dev/mail.json", target: { kind: "dev", page: "mail.json" } },
  { host: "app", path: "/dev/widget-host", target: { kind: "dev", page: "widget-host" } },
  { host: "app", path: "*", target: { kind: "static", folder: "web", fallback: "/index.html" } },
];

const compiled = routes.map((route) => ({ ...route, pattern: patternOf(route.path) }));

/** Where a request goes. `path` is the path of the URL without the query. */
export function routeOf(host: Host, path: string): Route {
  const read = decodedPath(path); // as services may
  const fits = ({ target, pattern }: (typeof compiled)[number]) => pattern.test(target.kind === "nothing" ? read : path);
  const found = compiled.find((route) => (route.host === "any" || route.host === host) && fits(route));
  if (!found) throw new Error(`no route for ${path}`); // the table ends with "*" for each host
  return found;
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const source = path.endsWith("/*") ? `${escaped.slice(0, -2)}(?:/.*)?` : escaped;
  return new RegExp(`^${source.replace(/(?<!\.)\*/g, ".*")}$`);
}

const anAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

const aName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/;

/**
 * What the Host header names: the app, also by an address of the net (as a front door on another machine names us) or by the name that is
 * listened on; a workspace's subdomain; a name that may be a workspace's own (`unknown`: it is to be asked for); or null for what nobody can have.
 * `appName` is the host name of the app's public address.
 */
export function hostOf(
  header: string | null,
  appName = "localhost",
  listensOn = "localhost",
): { host: Host; subdomain?: string } | { host: "unknown"; name: string } | null {
  const name = (header ?? "").toLowerCase().replace(/:\d+$/, "");
  if ([appName, listensOn, "localhost"].includes(name) || anAddress.test(name)) return { host: "app" };
  if (!name.endsWith(`.${appName}`)) return name.length <= 253 && aName.test(name) ? { host: "unknown", name } : null;
  const subdomain = name.slice(0, -appName.length - 1);
  return /^[a-z0-9-]+$/.test(subdomain) ? { host: "workspace", subdomain } : null;
}
