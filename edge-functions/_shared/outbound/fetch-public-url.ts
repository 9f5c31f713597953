import { wholeBody } from "./body.ts";
import { type HttpRequest, withConnection, type Deadline, withDeadline, wholeTimeoutMs } from "./connection.ts";
import type { Conditions } from "./post-public-url.ts";
import { type Network, NotPublic, Unreachable } from "./network.ts";

export interface PublicRequest {
  url: URL;
  body?: Uint8Array;
  headers?: Record<string, string>;
  /** Never sent to another origin, even on redirects. */
  credentials?: Record<string, string>;
  maxBytes: number;
  /** Reads the bodies of errors too. */
  readsErrors?: boolean;
}

export interface Obtained {
  url: URL;
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Uint8Array;
}

const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const common = { "user-agent": "Tidings-Import/1" };

/**
 * GET or POST of an untrusted URL. SSRF protection as in ./post-public-url.ts on each hop. GET follows three redirects, POST none, as it may
 * contain a key. Rejects with Unreachable on timeout or beyond the limit.
 */
export async function fetchPublicUrl(
  network: Network,
  options: PublicRequest,
  { toPrivate, timeoutMs = wholeTimeoutMs }: Conditions,
): Promise<Obtained> {
  return await withDeadline(timeoutMs, async (deadline) => {
    let { url, credentials } = options;
    for (let followed = 0; ; followed += 1) {
      const request: HttpRequest = {
        method: options.body === undefined ? "GET" : "POST",
        url,
        headers: { ...common, ...options.headers, ...credentials },
        body: options.body,
      };
      const response = await requestOnce(network, request, options, toPrivate, deadline);
      const location = options.body === undefined && redirects.has(response.status) ? response.headers.get("location") : undefined;
      if (location === undefined) return response;
      if (followed === mostRedirects) throw new Unreachable("It redirects too many times");
      if (!URL.canParse(location, url)) throw new Unreachable("It redirects to an invalid URL");
      const next = new URL(location, url);
      if (next.origin !== url.origin) credentials = undefined; // for good, as a foreign host could redirect back
      url = next;
    }
  });
}

async function requestOnce(
  network: Network,
  request: HttpRequest,
  { maxBytes, readsErrors = false }: PublicRequest,
  toPrivate: boolean,
  deadline: Deadline,
): Promise<Obtained> {
  if (!/^https?:$/.test(request.url.protocol)) throw new NotPublic("Only URLs that start with https:// are allowed");
  return await withConnection(network, request, toPrivate, deadline, async (head, reader) => {
    const isRead = readsErrors || (head.status >= 200 && head.status < 300);
    const body = isRead ? await wholeBody(reader, head, maxBytes) : new Uint8Array(0);
    return { url: request.url, ...head, body };
  });
}
