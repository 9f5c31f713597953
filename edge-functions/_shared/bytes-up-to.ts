import type { Bytes } from "./base64.ts";

/**
 * All of a stream; null where it has more than `maxBytes`, and then the rest is not waited for. Rejects when the stream breaks off. `arrived` is told
 * after each piece all that is here; nothing more is read where it throws. Room is made for what has come, not for what
 * was said: who says five megabytes and sends one letter holds one.
 */
export async function bytesUpTo(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  arrived?: (soFar: Bytes) => void,
): Promise<ArrayBuffer | null> {
  let bytes = new Uint8Array(0);
  let length = 0;
  for await (const chunk of stream ?? []) {
    const end = length + chunk.length;
    if (end > maxBytes) return null; // leaving the loop cancels the rest
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
