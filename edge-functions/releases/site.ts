/** How a reader names a workspace: by the subdomain of the address, by ?workspace= on the bare host, or by a name of the workspace's own. */
export interface Naming {
  subdomain: string;
  by: "host" | "query" | "domain";
  /** What was asked for, without a port. */
  host: string;
}

/** What an address says: a workspace, or a host that may be the own name of one (else `orQuery` counts), see ./queries/hosts.ts. */
export type Named = Naming | { by: "unknown host"; host: string; orQuery: Naming | null };

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export const isLabel = (subdomain: string): boolean => label.test(subdomain);

/** The addresses of one workspace's public pages: `path` ones for links on the page, absolute ones for everything that leaves it. */
export interface Site extends Pick<Naming, "subdomain" | "by"> {
  /** Where its pages are: at the workspace's own name, e.g. https://changelog.acme.example, else below the product, e.g. https://acme.tidings.example. */
  origin: string;
  /** Below the product, also where it has a name of its own: this address is always there. */
  belowOrigin: string;
  /** A link to a public path; keeps ?workspace= where the reader came by it. */
  path(path: string, query?: Record<string, string | number | null>): string;
  /** The same as an absolute address at `origin`. */
  absolute(path: string, query?: Record<string, string | number | null>): string;
  /** A stored or external file as an absolute address. */
  file(url: string): string;
}

/** The same for what is shown inside the app, whose policy takes pictures and fonts of its own origin only: stored files come from there. */
export const shownAt = (publicUrl: string, site: Site): Site => ({ ...site, file: (url) => (url.startsWith("/") ? publicUrl + url : url) });

/** How workspaces are addressed below the product's own address. */
export interface Addresses {
  /** The product's, with its port. */
  host: string;
  /**
   * Which workspace a request is for; null on the bare host when it names none. The front door says which host was asked for: in
   * Forwarded, because hosted Supabase writes X-Forwarded-Host itself.
   */
  namingOf(url: URL, headers: Headers): Named | null;
  /** `domain` is the workspace's own name, where readers are led to. */
  siteOf(naming: Pick<Naming, "subdomain" | "by">, domain: string | null): Site;
  /** Whether a host, without a port, is the product's or the workspace's own. */
  isOurs(host: string, naming: Pick<Naming, "subdomain" | "host">): boolean;
}

/** A host that can be in the DNS for all: neither an address nor a name of one part alone. */
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
      const named = url.searchParams.get("workspace")?.trim().toLowerCase() ?? "";
      const orQuery: Naming | null = named === "" ? null : { subdomain: named, by: "query", host };
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
