interface Lines<Row> {
  head: string;
  line: (row: Row) => string;
  read: (last?: Row) => Promise<Row[]>;
}

export async function streamedLines<Row>({ head, line, read }: Lines<Row>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let piece = await read();
  let before = head;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(encoder.encode(before + piece.map(line).join("")));
      before = "";
      const last = piece.at(-1);
      piece = last === undefined ? [] : await read(last);
      if (piece.length === 0) controller.close();
    },
  });
}
