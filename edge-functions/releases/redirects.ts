import { InFlight } from "../_shared/in-flight.ts";
import type { Sql } from "./queries/database.ts";

const longest = 1_500;
/** Cache lifetime, also of negative results. */
const keptMs = 10_000;
const maxEntries = 2_000;

/** Paths probed by bots, never posts. */
const noPost =
  /\/\.|^\/(?:wp-(?:admin|content|includes|json|login)|cgi-bin|xmlrpc\.php)|\.(?:avif|bak|css|env|gif|gz|ico|jpe?g|js|json|map|mjs|png|sql|svg|tar|tgz|txt|webp|woff2?|xml|zip)$/i;

interface CacheEntry {
  slug: string | null;
  until: number;
}

export class OldAddresses {
  readonly #sql: Sql;
  readonly #known = new Map<string, CacheEntry>();
  readonly #asking = new InFlight<string | null>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(subdomain: string, host: string, path: string, now: number): Promise<string | null> {
    if (path.length > longest || noPost.test(path)) return null;
    const key = `${subdomain}\n${host}\n${path}`;
    const cached = this.#known.get(key);
    if (cached !== undefined && cached.until > now) return cached.slug;
    return await this.#asking.share(key, async () => {
      const slug = await this.#ask(subdomain, host, path);
      this.#keep(key, { slug, until: now + keptMs });
      return slug;
    });
  }

  async #ask(subdomain: string, host: string, path: string): Promise<string | null> {
    const sql = this.#sql;
    const [row] = await sql<{ slug: string | null }[]>`select private.find_redirect(${subdomain}, ${host}, ${path}) as slug`;
    return row?.slug ?? null;
  }

  #keep(key: string, entry: CacheEntry): void {
    this.#known.delete(key);
    this.#known.set(key, entry);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxEntries && oldest !== undefined) this.#known.delete(oldest);
  }
}
