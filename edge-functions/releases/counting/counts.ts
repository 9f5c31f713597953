import { Collector, type CollectorOptions } from "./collector.ts";
import type { Report } from "./pictures.ts";
import { mayCount, placeOf, readerOf } from "./reader.ts";
import type { Naming } from "../site.ts";
import { hostOf, sourceOf } from "./sources.ts";

/** Of whom is counted, and at which host. */
type Place = Pick<Naming, "subdomain" | "host">;

interface Options extends CollectorOptions {
  /** How many proxies in front each add an entry to X-Forwarded-For. */
  proxies: number;
  /** Whether CF-IPCountry tells of the reader; behind another's network it tells of the front door. */
  countries: boolean;
  /** Whether a host is the product's or the workspace's own. */
  isOurs(host: string, naming: Place): boolean;
}

/**
 * What readers do, counted without a cookie or a script on the page, and without anybody waiting. Readings are counted by a picture, which pages
 * contain and the widget fetches, so that those of a copy in a shared cache count too. The database counts a reader once a day and leaves out
 * robots.
 */
export class Counts {
  readonly #options: Options;
  readonly #collector: Collector;

  constructor(options: Options) {
    this.#options = options;
    this.#collector = new Collector(options);
  }

  /** A picture was asked for. */
  picture(request: Request, query: URLSearchParams, place: Place, { what, slug }: Report, day: string): void {
    const { proxies, countries, isOurs } = this.#options;
    const { headers } = request;
    this.#collector.note({ what, subdomain: place.subdomain, slug, ...readerOf(headers, proxies) }, day, () => {
      if (!mayCount(request)) return null;
      if (what !== "view") return { source: "widget" };
      return { source: sourceOf(query, headers, (host) => isOurs(host, place)), ...placeOf(headers, countries) };
    });
  }

  /** A page was read: where its reader came from, when it was another site, and the term when it was a search that found nothing. */
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
