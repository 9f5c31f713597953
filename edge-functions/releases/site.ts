export interface Naming {
  subdomain: string;
  by: "host" | "query" | "domain";
  host: string;
  /** The reader's key, see supabase/schemas/26-reader-access.sql. */
  key?: string | null;
  /** By which the workspace's product identifies the reader. */
  token?: string | null;
}

/** With the reader's key, as queries take it. */
export const readerName = ({ subdomain, key }: Pick<Naming, "subdomain" | "key">): string => (key ? `${subdomain}~${key}` : subdomain);

export type HostNaming = Naming | { by: "unknown host"; host: string; orQuery: Naming | null };

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isLabel = (subdomain: string): boolean => label.test(subdomain);

export interface Site extends Pick<Naming, "subdomain" | "by"> {
  origin: string;
  belowOrigin: string;
  path(path: string, query?: Record<string, string | number | null>): string;
  absolute(path: string, query?: Record<string, string | number | null>): string;
  file(url: string): string;
}

/** For previews inside the app, whose CSP only allows its own origin. */
export const shownAt = (publicUrl: string, site: Site): Site => ({ ...site, file: (url) => (url.startsWith("/") ? publicUrl + url : url) });

export interface Addresses {
  host: string;
  /** null on the bare host without a workspace. The front door sends the host in Forwarded, because hosted overwrites X-Forwarded-Host. */
  namingOf(url: URL, headers: Headers): HostNaming | null;
  siteOf(naming: Pick<Naming, "subdomain" | "by">, domain: string | null): Site;
  isOurs(host: string, naming: Pick<Naming, "subdomain" | "host">): boolean;
}

const isName = (host: string): boolean => /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/.test(host);

export function addressesBelow(publicUrl: string): Addresses {
  const base = new URL(publicUrl);
  const ending = `.${base.hostname}`;
  const port = base.port === "" ? "" : `:${base.port}`;
  return {
    host: base.host,
    namingOf: (url, headers) => {
      const forwarded = /(?:^|[;,\s])host="?([^";,\s]+)/i.exec(headers.get("forwarded") ?? "")?.[1];
      const host = (forwarded ?? headers.get("x-forwarded-host") ?? url.host).toLowerCase().replace(/:\d+$/, "");
      if (host.endsWith(ending)) return { subdomain: host.slice(0, -ending.length), by: "host", host };
      const queried = url.searchParams.get("workspace")?.trim().toLowerCase() ?? "";
      const orQuery: Naming | null = queried === "" ? null : { subdomain: queried, by: "query", host };
      return host === base.hostname || !isName(host) ? orQuery : { by: "unknown host", host, orQuery };
    },
    siteOf: (naming, domain) => {
      const below = `${base.protocol}//${naming.subdomain}.${base.host}`;
      return siteAt(naming, domain === null ? below : `${base.protocol}//${domain}${port}`, below);
    },
    isOurs: (host, naming) => host === base.hostname || host === naming.subdomain + ending || host === naming.host,
  };
}

function siteAt({ subdomain, by }: Pick<Naming, "subdomain" | "by">, origin: string, belowOrigin: string): Site {
  const write = (path: string, query: Record<string, string | number | null>): string => {
    const present = Object.entries(query).filter(([, value]) => value !== null);
    const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
    return search === "" ? path : `${path}?${search}`;
  };
  return {
    subdomain,
    by,
    origin,
    belowOrigin,
    path: (path, query = {}) => write(path, by === "query" ? { workspace: subdomain, ...query } : query),
    absolute: (path, query = {}) => origin + write(path, query),
    file: (url) => (url.startsWith("/") ? origin + url : url),
  };
}
