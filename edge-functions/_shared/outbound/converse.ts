import { gathered, piecesOf } from "./body.ts";
import { type Asked, asking, patiently, wholePatienceMs } from "./connection.ts";
import type { Conditions } from "./exchange.ts";
import type { Network } from "./network.ts";

export interface Heard {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Uint8Array;
}

/**
 * Any request to an untrusted URL, returning the full response, errors included. SSRF protection as in ./exchange.ts. Redirects aren't
 * followed, as requests are signed for this URL. Rejects with Unreachable on timeout or beyond `maxBytes`.
 */
export async function converse(
  network: Network,
  request: Asked,
  { toPrivate, patienceMs = wholePatienceMs, maxBytes }: Conditions & { maxBytes: number },
): Promise<Heard> {
  return await patiently(patienceMs, (patience) =>
    asking(network, request, toPrivate, patience, async (head, reader) => ({
      ...head,
      body: await gathered(piecesOf(reader, head), maxBytes),
    })),
  );
}
