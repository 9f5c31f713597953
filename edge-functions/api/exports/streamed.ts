/** What is made a piece at a time, as a file on its way. A refusal is thrown before anything is streamed; who goes away ends the work. */
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
