import type { Sql } from "./database.ts";
import { sharing } from "./workspaces.ts";

const gapMs = 1;
const kept = 10_000;

interface Known {
  subdomain: string;
  /** The workspace's public version before it was last heard that the name is its; null: not heard since any. */
  version: string | null;
}

/** An open workspace that is read at a host. */
export interface AtHost {
  subdomain: string;
  version: string;
}

/**
 * Which open workspace a name of somebody's own belongs to. Whatever changes that raises the public version of its workspace (migration "domains"),
 * so while that is the same, one question answers both.
 */
export class Hosts {
  readonly #known = new Map<string, Known>();
  readonly #ask: (host: string) => Promise<string | null>;
  readonly #versionOf: (subdomain: string) => Promise<string | null>;

  constructor(sql: Sql, versionOf: (subdomain: string) => Promise<string | null>) {
    this.#ask = sharing((host) => workspaceOfHost(sql, host), gapMs);
    this.#versionOf = versionOf;
  }

  /** Null: nobody's, or of a workspace that is not open. */
  async find(host: string): Promise<AtHost | null> {
    const known = this.#known.get(host);
    // What was heard before the version was read may be older than it: only what is heard after it is kept with it.
    const version = known === undefined ? null : await this.#versionOf(known.subdomain);
    if (known !== undefined && version !== null && known.version === version) return { subdomain: known.subdomain, version };
    const subdomain = await this.#ask(host);
    this.#known.delete(host);
    if (subdomain === null) return null;
    const isSame = known?.subdomain === subdomain;
    this.#known.set(host, { subdomain, version: isSame ? version : null });
    const [oldest] = this.#known.keys();
    if (this.#known.size > kept && oldest !== undefined) this.#known.delete(oldest);
    const present = isSame && version !== null ? version : await this.#versionOf(subdomain);
    return present === null ? null : { subdomain, version: present };
  }
}

async function workspaceOfHost(sql: Sql, host: string): Promise<string | null> {
  const [row] = await sql<{ subdomain: string | null }[]>`select private.workspace_of_host(${host}) as subdomain`;
  return row?.subdomain ?? null;
}
