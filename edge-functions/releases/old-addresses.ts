import { FairQueue, QueueFull } from "#contract/rules/fair-queue.ts";
import { InFlight } from "../_shared/in-flight.ts";
import type { Sql } from "./queries/database.ts";

/** What a path of the database's may be long (post_redirects_path_shape). */
const longest = 1_500;
/** What was found is known this long, and so is that there is nothing. */
const keptMs = 10_000;
const kept = 2_000;
/** Questions about one workspace that wait, and about all; who comes behind them is told to come again. */
const waitingEach = 100;
const waitingInAll = 500;

/** Files and secrets that robots try at every host, where no product has its posts. */
const noPost =
  /\/\.|^\/(?:wp-(?:admin|content|includes|json|login)|cgi-bin|xmlrpc\.php)|\.(?:avif|bak|css|env|gif|gz|ico|jpe?g|js|json|map|mjs|png|sql|svg|tar|tgz|txt|webp|woff2?|xml|zip)$/i;

interface Known {
  slug: string | null;
  until: number;
}

/**
 * Where posts were found before they came here (post_redirects). Anybody can ask for any path, so questions go to the database one after the
 * other, workspaces in turns, and with pauses: a flood of them leaves the rest of the pages as quick as they were.
 */
export class OldAddresses {
  readonly #sql: Sql;
  readonly #known = new Map<string, Known>();
  readonly #asking = new InFlight<string | null>();
  readonly #turns = new FairQueue(waitingEach);
  #waiting = 0;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * The present slug of the post that was at `path`, of a host whose name it may have had; null: none that readers see. `subdomain` is that of an
   * open workspace: names that anybody can make up would fill the queue.
   */
  async find(subdomain: string, host: string, path: string, now: number): Promise<string | null> {
    if (path.length > longest || noPost.test(path)) return null;
    const key = `${subdomain}\n${host}\n${path}`;
    const known = this.#known.get(key);
    if (known !== undefined && known.until > now) return known.slug;
    return await this.#asking.share(key, async () => {
      if (this.#waiting >= waitingInAll) throw new QueueFull();
      this.#waiting++;
      try {
        const slug = await this.#turns.run(subdomain, () => this.#ask(subdomain, host, path));
        this.#keep(key, { slug, until: now + keptMs });
        return slug;
      } finally {
        this.#waiting--;
      }
    });
  }

  async #ask(subdomain: string, host: string, path: string): Promise<string | null> {
    const sql = this.#sql;
    const [row] = await sql<{ slug: string | null }[]>`select private.find_redirect(${subdomain}, ${host}, ${path}) as slug`;
    return row?.slug ?? null;
  }

  #keep(key: string, known: Known): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > kept && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** Whether somebody could not even be asked for, because too many others ask about the same workspace. */
export const isCrowded = (thrown: unknown): boolean => thrown instanceof QueueFull;
