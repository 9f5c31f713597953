import { clientAddress } from "../_shared/client-address.ts";
import { describeFault, type Fault } from "../_shared/log.ts";
import type { Sql } from "./queries/database.ts";
import { types } from "./resource.ts";
import { isLabel } from "./site.ts";

/** The smallest picture there is: one transparent point. */
const point = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) => character.charCodeAt(0));

/** The release whose reading a path reports; undefined when the path is another. */
export function readSlug(path: string): string | undefined {
  return /^\/releases\/([a-z0-9-]{1,100})\.gif$/.exec(path)?.[1];
}

/** Who asks not to be followed is not counted, nor is a page that a browser has only fetched in advance. */
function mayCount(method: string, headers: Headers): boolean {
  const asked = headers.get("dnt") === "1" || headers.get("sec-gpc") === "1";
  const inAdvance = /prefetch|prerender/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "");
  return method === "GET" && !asked && !inAdvance;
}

interface Reported {
  sql: Sql;
  subdomain: string;
  slug: string;
  /** How many proxies in front each add an entry to X-Forwarded-For. */
  proxies: number;
  now: Date;
  /** A reading that could not be counted is lost; no reader hears of it. */
  onFault(fault: Fault): void;
}

/**
 * Answers a picture of one point, and counts a reading by it: pages contain it and the widget fetches it, so that readings of a
 * copy in a shared cache count too. No cookie, no script; the database counts a reader once a day and leaves out bots. The answer
 * is the same whatever was counted, and whether the release exists; a browser keeps it until the day is over.
 */
export async function countReading(request: Request, { sql, subdomain, slug, proxies, now, onFault }: Reported): Promise<Response> {
  const { headers, method } = request;
  if (isLabel(subdomain) && mayCount(method, headers)) {
    const [address, browser] = [clientAddress(headers, proxies), headers.get("user-agent") ?? ""];
    await sql`select private.count_view(${subdomain}, ${slug}, ${address}, ${browser})`.catch((thrown: unknown) =>
      onFault(describeFault(thrown)),
    );
  }
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return new Response(method === "HEAD" ? null : point, {
    headers: {
      "content-type": types.gif,
      "content-length": String(point.byteLength),
      "cache-control": `private, max-age=${Math.ceil((midnight - now.getTime()) / 1_000)}`,
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}
