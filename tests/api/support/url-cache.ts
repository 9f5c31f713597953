import type { Reply } from "./public.ts";

export interface Asked {
  path: string;
  accept?: string;
  ifNoneMatch?: string;
}

type Origin = (path: string, headers: Record<string, string>) => Promise<Reply>;

interface Stored {
  reply: Reply;
  accept: string | undefined;
  at: number;
}

const seconds = (reply: Reply, name: string): number =>
  Number(new RegExp(`(?:^|[, ])${name}=(\\d+)`).exec(reply.headers["cache-control"] ?? "")?.[1] ?? 0);

/**
 * A shared cache (RFC 9111) in front of one host: stores by URL, serves fresh responses, and stale ones while revalidating. `heedsVary`: true if
 * Accept separates responses; many CDNs don't. Its clock is simulated.
 */
export class UrlCache {
  readonly #origin: Origin;
  readonly #heedsVary: boolean;
  readonly #stored = new Map<string, Stored[]>();
  #now = 0;
  hits = 0;

  constructor(origin: Origin, { heedsVary }: { heedsVary: boolean }) {
    this.#origin = origin;
    this.#heedsVary = heedsVary;
  }

  pass(time: number): void {
    this.#now += time;
  }

  async ask(asked: Asked): Promise<Reply> {
    const stored = this.#find(asked);
    if (stored === undefined) return this.#shown(await this.#fetch(asked, asked.ifNoneMatch), asked);
    const age = this.#now - stored.at;
    const fresh = seconds(stored.reply, "s-maxage");
    if (age < fresh) return this.#hit(stored, asked);
    if (age < fresh + seconds(stored.reply, "stale-while-revalidate")) {
      const shown = this.#hit(stored, asked);
      await this.#revalidate(stored, asked); // revalidates in the background, with the reader's headers
      return shown;
    }
    return this.#shown(await this.#revalidate(stored, asked), asked);
  }

  #find({ path, accept }: Asked): Stored | undefined {
    const kept = this.#stored.get(path) ?? [];
    return this.#heedsVary ? kept.find((one) => !/\baccept\b(?!-)/i.test(one.reply.headers.vary ?? "") || one.accept === accept) : kept[0];
  }

  #hit({ reply }: Stored, asked: Asked): Reply {
    this.hits++;
    return this.#shown(reply, asked);
  }

  #shown(reply: Reply, { ifNoneMatch }: Asked): Reply {
    return reply.status === 200 && ifNoneMatch !== undefined && reply.headers.etag === ifNoneMatch
      ? { ...reply, status: 304, body: "" }
      : reply;
  }

  async #revalidate(stored: Stored, asked: Asked): Promise<Reply> {
    const reply = await this.#fetch(asked, stored.reply.headers.etag);
    if (reply.status !== 304) return reply;
    stored.at = this.#now;
    stored.reply = { ...stored.reply, headers: { ...stored.reply.headers, ...reply.headers } };
    return stored.reply;
  }

  async #fetch({ path, accept }: Asked, ifNoneMatch: string | undefined): Promise<Reply> {
    const reply = await this.#origin(path, {
      ...(accept !== undefined && { accept }),
      ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
    });
    const said = reply.headers["cache-control"] ?? "";
    if (reply.status === 200 && !/no-store|private/.test(said) && seconds(reply, "s-maxage") > 0) {
      const others = this.#heedsVary ? (this.#stored.get(path) ?? []).filter((one) => one.accept !== accept) : [];
      this.#stored.set(path, [{ reply, accept, at: this.#now }, ...others]);
    }
    return reply;
  }
}
