/** What is left of a file, in order. Parts that were neighbours are one, so that there are few, whatever the file is made of. */
export class KeptBytes {
  readonly #file: Uint8Array;
  readonly #parts: Uint8Array[] = [];
  /** The run of the file that is being kept. */
  #start = 0;
  #end = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  keep(start: number, end: number): void {
    if (end > this.#file.length) throw new RangeError("the file ends before its parts do");
    if (start !== this.#end) {
      this.#closeRun();
      this.#start = start;
    }
    this.#end = end;
  }

  /** Bytes that the file did not have. */
  add(bytes: Uint8Array): void {
    this.#closeRun();
    this.#start = this.#end;
    this.#parts.push(bytes);
  }

  join(): Uint8Array {
    this.#closeRun();
    this.#start = this.#end;
    const joined = new Uint8Array(this.#parts.reduce((length, part) => length + part.length, 0));
    let offset = 0;
    for (const part of this.#parts) {
      joined.set(part, offset);
      offset += part.length;
    }
    return joined;
  }

  #closeRun(): void {
    if (this.#end > this.#start) this.#parts.push(this.#file.subarray(this.#start, this.#end));
  }
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The bytes as Latin letters, such as the name of a chunk. */
export const letters = (bytes: Uint8Array, start: number, end: number): string => String.fromCharCode(...bytes.subarray(start, end));

/** Chunks, segments and frames of a file of five megabytes that a program has written: a thousand, many of them small ten thousand. */
const mostParts = 20_000;

/** Counts the parts of a file while they are walked over. One that is made of nothing else would take everybody's time. */
export class PartCount {
  #parts = 0;

  next(): void {
    this.#parts += 1;
    if (this.#parts > mostParts) throw new RangeError("the file has too many parts");
  }
}
