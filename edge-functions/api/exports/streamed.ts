/** Stream of a generator. Refusals are thrown before the first byte; cancelling stops the work. */
export async function streamed(pieces: AsyncGenerator<Uint8Array, void>): Promise<ReadableStream<Uint8Array>> {
  let piece = await pieces.next();
  return new ReadableStream({
    async pull(controller) {
      if (piece.done) return controller.close();
      controller.enqueue(piece.value);
      piece = await pieces.next();
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
