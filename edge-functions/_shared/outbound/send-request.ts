import { collectBytes, piecesOf } from "./body.ts";
import { type HttpRequest, withConnection, withDeadline, wholeTimeoutMs } from "./connection.ts";
import type { Conditions } from "./post-public-url.ts";
import type { Network } from "./network.ts";

export interface Heard {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Uint8Array;
}

/**
 * Any request to an untrusted URL, returning the full response, errors included. SSRF protection as in ./post-public-url.ts. Redirects aren't
 * followed, as requests are signed for this URL. Rejects with Unreachable on timeout or beyond `maxBytes`.
 */
export async function sendRequest(
  network: Network,
  request: HttpRequest,
  { toPrivate, timeoutMs = wholeTimeoutMs, maxBytes }: Conditions & { maxBytes: number },
): Promise<Heard> {
  return await withDeadline(timeoutMs, (deadline) =>
    withConnection(network, request, toPrivate, deadline, async (head, reader) => ({
      ...head,
      body: await collectBytes(piecesOf(reader, head), maxBytes),
    })),
  );
}
