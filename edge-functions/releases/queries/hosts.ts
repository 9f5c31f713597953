import type { Sql } from "./database.ts";
import { sharing } from "./workspaces.ts";

const gapMs = 1;
const maxEntries = 10_000;

interface CacheEntry {
  subdomain: string;
  version: string | null;
}

export interface AtHost {
  subdomain: string;
  version: string;
}

/** Custom domain → public workspace. Changes raise the workspace's public version, so one query validates both. */
export class Hosts {
  readonly #known = new Map<string, CacheEntry>();
  readonly #ask: (host: string) => Promise<string | null>;
  readonly #versionOf: (subdomain: string) => Promise<string | null>;

  constructor(sql: Sql, versionOf: (subdomain: string) => Promise<string | null>) {
    this.#ask = sharing((host) => workspaceOfHost(sql, host), gapMs);
    this.#versionOf = versionOf;
  }

  async find(host: string): Promise<AtHost | null> {
    const cached = this.#known.get(host);
    // Race: a lookup from before the version was read may be outdated, so it isn't cached with it.
    const version = cached === undefined ? null : await this.#versionOf(cached.subdomain);
    if (cached !== undefined && version !== null && cached.version === version) return { subdomain: cached.subdomain, version };
    const subdomain = await this.#ask(host);
    this.#known.delete(host);
    if (subdomain === null) return null;
    const isSame = cached?.subdomain === subdomain;
    this.#known.set(host, { subdomain, version: isSame ? version : null });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxEntries && oldest !== undefined) this.#known.delete(oldest);
    const present = isSame && version !== null ? version : await this.#versionOf(subdomain);
    return present === null ? null : { subdomain, version: present };
  }
}

async function workspaceOfHost(sql: Sql, host: string): Promise<string | null> {
  const [row] = await sql<{ subdomain: string | null }[]>`select private.workspace_of_host(${host}) as subdomain`;
  return row?.subdomain ?? null;
}
