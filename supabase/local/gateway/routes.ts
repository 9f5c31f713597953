import { decodedPath } from "../engine/decoded-path.ts";

/** Routes of the app and of workspace hosts (subdomains and custom domains: public pages only). deploy/Caddyfile is generated from it. */
export type Host = "app" | "workspace";

export type Target =
  /** `below`: prefix that the function expects. */
  | { kind: "function"; name: string; below?: "/api" }
  /** /functions/v1/{name}/…, as on hosted. */
  | { kind: "function-by-name" }
  | { kind: "service"; name: "auth" | "rest" | "storage" | "realtime"; forOtherSites?: true }
  /** Files of dist/{folder}; `fallback` is the page for navigations without a file. */
  | { kind: "static"; folder: "web" | "widget"; fallback?: string }
  | { kind: "health" }
  /** 404 for a service's endpoints that the product doesn't use. */
  | { kind: "nothing" }
  | { kind: "dev"; page: "mail" | "mail.json" | "widget-host" }
  | { kind: "redirect"; to: string };

export interface Route {
  host: Host | "any";
  /** "*" matches any characters; "/*" at the end also matches the path without it. */
  path: string;
  target: Target;
}

/** The first match wins. */
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
  // Redirects another product's old URLs; the rest is 404.
  { host: "workspace", path: "*", target: { kind: "function", name: "releases" } },

  // OAuth discovery documents; the rest is 404.
  { host: "app", path: "/.well-known/*", target: { kind: "function", name: "api", below: "/api" } },
  { host: "app", path: "/api/*", target: { kind: "function", name: "api" } },
  { host: "app", path: "/ws/*", target: { kind: "function", name: "presence" } },
  { host: "app", path: "/auth/v1/*", target: { kind: "service", name: "auth" } },
  { host: "app", path: "/rest/v1/*", target: { kind: "service", name: "rest" } },
  // Signed or resumable uploads would outlive the session.
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

export function routeOf(host: Host, path: string): Route {
  const read = decodedPath(path); // as services may decode it
  const fits = ({ target, pattern }: (typeof compiled)[number]) => pattern.test(target.kind === "nothing" ? read : path);
  const match = compiled.find((route) => (route.host === "any" || route.host === host) && fits(route));
  if (!match) throw new Error(`no route for ${path}`); // unreachable: the table ends with "*" for each host
  return match;
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  const source = path.endsWith("/*") ? `${escaped.slice(0, -2)}(?:/.*)?` : escaped;
  return new RegExp(`^${source.replace(/(?<!\.)\*/g, ".*")}$`);
}

const anAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;

const aName = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/;

/** The app (also by IP address or listening name), a workspace's subdomain, `unknown` for a possible custom domain, or null. */
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
