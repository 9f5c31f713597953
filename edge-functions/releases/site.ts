/** How a reader names a workspace: by the subdomain of the address, or by ?workspace= on the bare host. */
export interface Naming {
  subdomain: string;
  by: "host" | "query";
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isLabel = (subdomain: string): boolean => label.test(subdomain);

/** The addresses of one workspace's public pages: `path` ones for links on the page, absolute ones for everything that leaves it. */
export interface Site extends Naming {
  /** Origin of the workspace's own host, e.g. https://acme.tidings.example. */
  origin: string;
  /** A link to a public path; keeps ?workspace= where the reader came by it. */
  path(path: string, query?: Record<string, string | number | null>): string;
  /** The same as an absolute address on the workspace's own host. */
  absolute(path: string, query?: Record<string, string | number | null>): string;
  /** A stored or external file as an absolute address. */
  file(url: string): string;
}

/** How workspaces are addressed below the product's own address. */
export interface Addresses {
  /** The product's, with its port. */
  host: string;
  /**
   * Which workspace a request is for; null on the bare host when it names none. The front door says which host was asked for: in
   * Forwarded, because hosted Supabase writes X-Forwarded-Host itself.
   */
  namingOf(url: URL, headers: Headers): Naming | null;
  siteOf(naming: Naming): Site;
  /** Whether a host, without a port, is the product's or the workspace's own. */
  isOurs(host: string, subdomain: string): boolean;
}

export function addressesBelow(publicUrl: string): Addresses {
  const base = new URL(publicUrl);
  const ending = `.${base.hostname}`;
  return {
    host: base.host,
    namingOf: (url, headers) => {
      const forwarded = /(?:^|[;,\s])host="?([^";,\s]+)/i.exec(headers.get("forwarded") ?? "")?.[1];
      const host = (forwarded ?? headers.get("x-forwarded-host") ?? url.host).toLowerCase().replace(/:\d+$/, "");
      if (host.endsWith(ending)) return { subdomain: host.slice(0, -ending.length), by: "host" };
      const named = url.searchParams.get("workspace")?.trim().toLowerCase() ?? "";
      return named === "" ? null : { subdomain: named, by: "query" };
    },
    siteOf: (naming) => siteAt(naming, `${base.protocol}//${naming.subdomain}.${base.host}`),
    isOurs: (host, subdomain) => host === base.hostname || host === subdomain + ending,
  };
}

function siteAt(naming: Naming, origin: string): Site {
  const write = (path: string, query: Record<string, string | number | null>): string => {
    const present = Object.entries(query).filter(([, value]) => value !== null);
    const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
    return search === "" ? path : `${path}?${search}`;
  };
  return {
    ...naming,
    origin,
    path: (path, query = {}) => write(path, naming.by === "query" ? { workspace: naming.subdomain, ...query } : query),
    absolute: (path, query = {}) => origin + write(path, query),
    file: (url) => (url.startsWith("/") ? origin + url : url),
  };
}
