export class KeptBytes {
  readonly #file: Uint8Array;
  readonly #parts: Uint8Array[] = [];
  #start = 0;
  #end = 0;

  constructor(file: Uint8Array) {
    this.#file = file;
  }

  keep(start: number, end: number): void {
    if (end > this.#file.length) throw new RangeError("truncated file");
    if (start !== this.#end) {
      this.#closeRun();
      this.#start = start;
    }
    this.#end = end;
  }

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

export const letters = (bytes: Uint8Array, start: number, end: number): string => String.fromCharCode(...bytes.subarray(start, end));

/** Real files of 5 MB have up to ten thousand parts. */
const mostParts = 20_000;

/** Prevents denial of service by files of countless parts. */
export class PartCount {
  #parts = 0;

  next(): void {
    this.#parts += 1;
    if (this.#parts > mostParts) throw new RangeError("the file has too many parts");
  }
}
