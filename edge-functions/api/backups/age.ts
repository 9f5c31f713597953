import { DamagedCopy } from "./zip.ts";

/**
 * scrypt 2^15: 32 MB and some 100 ms, which fit a hosted function. The age CLI uses 2^18, eight times as hard, so passphrases should be
 * long.
 */
const workFactor = 15;
/** A higher factor exceeds the worker's memory. */
const hardest = 16;
/** The whole header, which has one recipient. The library buffers header lines without a limit, so it's checked here. */
const header = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{1,64} (\d{1,2})\n[\w+/]{1,64}\n--- [\w+/]{43}\n/;
const headerBytes = 512;

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

/** Throws WrongPassphrase, or DamagedCopy if it isn't age. */
export async function opened(pieces: AsyncGenerator<Uint8Array, void>, passphrase: string): Promise<AsyncIterable<Uint8Array>> {
  const first = (await pieces.next()).value ?? new Uint8Array(0);
  const cost = header.exec(new TextDecoder("latin1").decode(first.subarray(0, headerBytes)))?.[1];
  if (cost === undefined) throw new DamagedCopy("This isn't an encrypted backup");
  if (Number(cost) > hardest) throw new DamagedCopy("This backup needs too much memory to decrypt");
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
