import { wholeBody } from "./body.ts";
import { type Asked, asking, type Patience, patiently, wholePatienceMs } from "./connection.ts";
import type { Conditions } from "./exchange.ts";
import { type Network, NotPublic, Unreachable } from "./network.ts";

export interface Wanted {
  url: URL;
  /** With a body it is a POST. */
  body?: Uint8Array;
  headers?: Record<string, string>;
  /** Headers that only who was asked may see: they go to no other origin, wherever that leads. */
  credentials?: Record<string, string>;
  /** So long the answer may be, unpacked. */
  maxBytes: number;
}

export interface Obtained {
  /** Where it came from in the end. */
  url: URL;
  status: number;
  headers: ReadonlyMap<string, string>;
  /** Empty unless the status is one of success. */
  body: Uint8Array;
}

const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const common = { "user-agent": "Tidings-Import/1" };

/**
 * Gets something from an address that somebody else has chosen, or asks with a POST. As ./exchange.ts does, every name on the way is looked up here
 * and every address behind it must be public. A GET is followed elsewhere three times; a POST never is: what is asked may hold a key. Of an
 * answer that is no success nothing is read but its head. Rejects with `Unreachable`, whose message is a sentence, where there is none in time,
 * or it is too long.
 */
export async function obtain(network: Network, wanted: Wanted, { toPrivate, patienceMs = wholePatienceMs }: Conditions): Promise<Obtained> {
  return await patiently(patienceMs, async (patience) => {
    let { url, credentials } = wanted;
    for (let followed = 0; ; followed += 1) {
      const asked: Asked = {
        method: wanted.body === undefined ? "GET" : "POST",
        url,
        headers: { ...common, ...wanted.headers, ...credentials },
        body: wanted.body,
      };
      const answer = await ask(network, asked, wanted.maxBytes, toPrivate, patience);
      const location = wanted.body === undefined && redirects.has(answer.status) ? answer.headers.get("location") : undefined;
      if (location === undefined) return answer;
      if (followed === mostRedirects) throw new Unreachable("It leads from one address to the next without an end");
      if (!URL.canParse(location, url)) throw new Unreachable("It leads to an address that cannot be read");
      const next = new URL(location, url);
      if (next.origin !== url.origin) credentials = undefined; // for good: who leads away may lead back
      url = next;
    }
  });
}

async function ask(network: Network, asked: Asked, maxBytes: number, toPrivate: boolean, patience: Patience): Promise<Obtained> {
  if (!/^https?:$/.test(asked.url.protocol)) throw new NotPublic("Only addresses that start with https:// are allowed");
  return await asking(network, asked, toPrivate, patience, async (head, reader) => {
    const isThere = head.status >= 200 && head.status < 300;
    const body = isThere ? await wholeBody(reader, head, maxBytes) : new Uint8Array(0);
    return { url: asked.url, ...head, body };
  });
}
