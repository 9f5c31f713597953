import { Collector, type CollectorOptions } from "./collector.ts";
import type { Report } from "./pixel.ts";
import { mayCount, placeOf, readerOf } from "./reader.ts";
import type { Naming } from "../site.ts";
import { hostOf, sourceOf } from "./sources.ts";

type Place = Pick<Naming, "subdomain" | "host">;

interface Options extends CollectorOptions {
  proxies: number;
  countries: boolean;
  isOurs(host: string, naming: Place): boolean;
}

/** Analytics without cookies or scripts. A pixel also counts cached pages. The database deduplicates by reader and day and drops bots. */
export class Counts {
  readonly #options: Options;
  readonly #collector: Collector;

  constructor(options: Options) {
    this.#options = options;
    this.#collector = new Collector(options);
  }

  picture(request: Request, query: URLSearchParams, place: Place, { what, slug }: Report, day: string): void {
    const { proxies, countries, isOurs } = this.#options;
    const { headers } = request;
    this.#collector.note({ what, subdomain: place.subdomain, slug, ...readerOf(headers, proxies) }, day, () => {
      if (!mayCount(request)) return null;
      if (what !== "view") return { source: "widget" };
      return { source: sourceOf(query, headers, (host) => isOurs(host, place)), ...placeOf(headers, countries) };
    });
  }

  /** Referrer, and the term of an empty search. */
  page(request: Request, place: Place, missed: string | undefined, day: string): void {
    const { proxies, isOurs } = this.#options;
    const host = hostOf(request.headers.get("referer"));
    const from = host !== null && !isOurs(host, place) ? host : undefined;
    if (from === undefined && missed === undefined) return;
    const { subdomain } = place;
    const reader = readerOf(request.headers, proxies);
    const about = (): object | null => (mayCount(request) ? {} : null);
    if (from !== undefined) this.#collector.note({ what: "referrer", subdomain, name: from, ...reader }, day, about);
    if (missed !== undefined) this.#collector.note({ what: "search_none", subdomain, name: missed, ...reader }, day, about);
  }
}
