/** All of a stream; null where it has more than `maxBytes`, and then the rest is not waited for. Rejects when the stream breaks off. */
export async function bytesUpTo(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<ArrayBuffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > maxBytes) return null; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  const buffer = new ArrayBuffer(length);
  const bytes = new Uint8Array(buffer);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return buffer;
}
