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
 * Asks an address that somebody else has chosen whatever is to be asked, and hears all of the answer, also of a refusal. As ./exchange.ts does, the
 * name is looked up here and every address behind it must be public. Nothing is followed elsewhere: what is sent is signed for this address alone.
 * Rejects with `Unreachable`, whose message is a sentence, where there is no answer in time, or it is longer than `maxBytes`.
 */
export async function converse(
  network: Network,
  asked: Asked,
  { toPrivate, patienceMs = wholePatienceMs, maxBytes }: Conditions & { maxBytes: number },
): Promise<Heard> {
  return await patiently(patienceMs, (patience) =>
    asking(network, asked, toPrivate, patience, async (head, reader) => ({
      ...head,
      body: await gathered(piecesOf(reader, head), maxBytes),
    })),
  );
}
