import { DamagedCopy } from "./zip.ts";

/**
 * Of scrypt 2 ** 15: 32 MB and some hundred milliseconds, which fit into a function of hosted Supabase. `age` itself takes 2 ** 18, which is eight
 * times as hard to guess: a passphrase should be long.
 */
const workFactor = 15;
/** What is harder than this to open would take the worker's memory with it. */
const hardest = 16;
/** All of the header: with a passphrase it has one recipient. What reads it keeps every line until it ends, so it has to end here. */
const header = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{1,64} (\d{1,2})\n[\w+/]{1,64}\n--- [\w+/]{43}\n/;
/** Longer than any that fits. */
const headerBytes = 512;

/** What comes, closed with a passphrase as the program `age` does it. */
export async function closed(pieces: AsyncGenerator<Uint8Array, void>, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphrase);
  return await encrypter.encrypt(streamOf(pieces));
}

export class WrongPassphrase extends Error {
  override readonly name = "WrongPassphrase";
}

/** The opposite. Throws `WrongPassphrase`, or `DamagedCopy` where it is nothing of the kind. */
export async function opened(pieces: AsyncGenerator<Uint8Array, void>, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const first = (await pieces.next()).value ?? new Uint8Array(0);
  const cost = header.exec(new TextDecoder("latin1").decode(first.subarray(0, headerBytes)))?.[1];
  if (cost === undefined) throw new DamagedCopy("This is no copy that a passphrase opens");
  if (Number(cost) > hardest) throw new DamagedCopy("It is closed in a way that takes more memory to open than there is");
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await decrypter.decrypt(streamOf(continued(first, pieces)));
  } catch {
    throw new WrongPassphrase();
  }
}

async function* continued(first: Uint8Array, rest: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  yield first;
  yield* rest;
}

function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
