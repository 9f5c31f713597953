import type { Bytes } from "./base64.ts";

/** Reads a stream; null beyond `maxBytes`. Rejects on errors. `arrived` gets all bytes so far and can throw to stop. */
export async function bytesUpTo(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  arrived?: (soFar: Bytes) => void,
): Promise<ArrayBuffer | null> {
  let bytes = new Uint8Array(0);
  let length = 0;
  for await (const chunk of stream ?? []) {
    const end = length + chunk.length;
    if (end > maxBytes) return null; // leaving the loop cancels the stream
    if (end > bytes.length) {
      const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length = end;
    arrived?.(bytes.subarray(0, length));
  }
  return length === bytes.length ? bytes.buffer : bytes.buffer.slice(0, length);
}
