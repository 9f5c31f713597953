import { bytesUpTo } from "../bytes-up-to.ts";
import { type Head, latin1, type Reader } from "./connection.ts";
import { TooLong, Unreachable } from "./network.ts";
import { figure } from "#contract/rules/figure.ts";

const packings: Record<string, CompressionFormat | "identity"> = {
  "": "identity",
  identity: "identity",
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};
const longestChunkHead = 1_024;
const cut = () => new Unreachable("The connection closed before the response was complete");

/** Throws TooLong as soon as the limit is exceeded, compressed or not. */
export async function wholeBody(reader: Reader, head: Head, maxBytes: number): Promise<Uint8Array> {
  const packing = packings[(head.headers.get("content-encoding") ?? "").toLowerCase()];
  if (packing === undefined) throw new Unreachable("The response uses an unsupported compression");
  if (Number(head.headers.get("content-length") ?? 0) > maxBytes) throw tooLong(maxBytes);
  if (packing !== "identity") return await unpacked(bounded(piecesOf(reader, head), maxBytes), packing, maxBytes);
  return await collectBytes(piecesOf(reader, head), maxBytes);
}

const tooLong = (maxBytes: number) => new TooLong(`The response is longer than ${figure(maxBytes)} bytes`);

async function* bounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxBytes) throw tooLong(maxBytes);
    yield piece;
  }
}

/** Growing buffer, so many tiny chunks cost no extra memory. */
export async function collectBytes(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  let whole = new Uint8Array(0);
  let length = 0;
  for await (const piece of bounded(pieces, maxBytes)) {
    if (length + piece.length > whole.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(16_384, 2 * whole.length, length + piece.length)));
      larger.set(whole.subarray(0, length));
      whole = larger;
    }
    whole.set(piece, length);
    length += piece.length;
  }
  return whole.slice(0, length);
}

/** Decompression bombs: stops beyond the limit. */
async function unpacked(pieces: AsyncIterable<Uint8Array>, format: CompressionFormat, maxBytes: number): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  let fault: unknown;
  const feeding = feed(writable.getWriter(), pieces).catch((error: unknown) => (fault = error));
  try {
    const bytes = await bytesUpTo(readable, maxBytes);
    if (bytes === null) throw tooLong(maxBytes);
    return new Uint8Array(bytes);
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    await feeding;
    throw fault instanceof Unreachable ? fault : new Unreachable("The response can't be decompressed");
  }
}

async function feed(writer: WritableStreamDefaultWriter<BufferSource>, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const piece of pieces) await writer.write(piece as BufferSource);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

export async function* piecesOf(reader: Reader, { status, headers }: Head): AsyncGenerator<Uint8Array, void> {
  if (status === 204 || status === 304) return;
  const coding = (headers.get("transfer-encoding") ?? "identity").toLowerCase();
  const announced = headers.get("content-length");
  if (coding === "chunked") yield* chunks(reader);
  else if (coding !== "identity") throw new Unreachable("The response uses an unsupported transfer encoding");
  else if (announced === undefined) yield* untilTheEnd(reader);
  else if (/^\d{1,15}$/.test(announced)) yield* exactly(reader, Number(announced));
  else throw new Unreachable("The response isn't valid HTTP");
}

async function* untilTheEnd(reader: Reader): AsyncGenerator<Uint8Array, void> {
  for (let piece = await reader.next(Infinity); piece !== null; piece = await reader.next(Infinity)) yield piece;
}

async function* exactly(reader: Reader, count: number): AsyncGenerator<Uint8Array, void> {
  for (let left = count; left > 0;) {
    const piece = await reader.next(left);
    if (piece === null) throw cut();
    left -= piece.length;
    yield piece;
  }
}

async function* chunks(reader: Reader): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(await lineOf(reader))?.[1];
    if (size === undefined) throw new Unreachable("The response isn't valid HTTP");
    if (/^0+$/.test(size)) return;
    yield* exactly(reader, Number.parseInt(size, 16));
    if ((await lineOf(reader)) !== "") throw new Unreachable("The response isn't valid HTTP");
  }
}

async function lineOf(reader: Reader): Promise<string> {
  for (;;) {
    const end = reader.here.indexOf(10);
    if (end >= 0) return latin1(reader.take(end + 1)).replace(/\r?\n$/, "");
    if (reader.here.length > longestChunkHead) throw new Unreachable("The response isn't valid HTTP");
    if (!(await reader.more())) throw cut();
  }
}
