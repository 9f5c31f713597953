import { deflateSync } from "fflate";
import { crc32 } from "#contract/rules/crc32.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";

export interface Entry {
  name: string;
  bytes: Uint8Array;
}

export class DamagedCopy extends Error {
  override readonly name = "DamagedCopy";
}

const most = { entries: 65_000, bytes: 4_000_000_000 };
/** Size limit, including the directory of 65,000 names and age's overhead. */
export const longestCopy = most.bytes + 64 * 1024 * 1024;
const signatures = { file: 0x04034b50, directory: 0x02014b50, end: 0x06054b50 };

export class ZipWriter {
  readonly #directory: Uint8Array[] = [];
  readonly #stamp: number;
  #at = 0;

  constructor(now: Date) {
    const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate()];
    const [hours, minutes, seconds] = [now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds()];
    this.#stamp = (((year - 1980) << 25) | (month << 21) | (day << 16) | (hours << 11) | (minutes << 5) | (seconds >> 1)) >>> 0;
  }

  add({ name, bytes }: Entry, deflated: boolean): Uint8Array[] {
    const packed = deflated ? deflateSync(bytes, { level: 1 }) : bytes;
    const path = new TextEncoder().encode(name);
    if (this.#directory.length >= most.entries || this.#at + packed.length + path.length > most.bytes)
      throw new DamagedCopy("The workspace is too large for a backup: 4 GB or 65,000 files");
    const common = new Uint8Array(26);
    const view = new DataView(common.buffer);
    view.setUint16(0, 20, true);
    view.setUint16(2, 0x0800, true);
    view.setUint16(4, deflated ? 8 : 0, true);
    view.setUint32(6, this.#stamp, true);
    view.setUint32(10, crc32(bytes), true);
    view.setUint32(14, packed.length, true);
    view.setUint32(18, bytes.length, true);
    view.setUint16(22, path.length, true);
    const central = new Uint8Array(46 + path.length);
    const centralView = new DataView(central.buffer);
    centralView.setUint32(0, signatures.directory, true);
    centralView.setUint16(4, 20, true);
    central.set(common, 6);
    centralView.setUint32(42, this.#at, true);
    central.set(path, 46);
    this.#directory.push(central);
    const head = new Uint8Array(30 + path.length);
    new DataView(head.buffer).setUint32(0, signatures.file, true);
    head.set(common, 4);
    head.set(path, 30);
    this.#at += head.length + packed.length;
    return [head, packed];
  }

  end(): Uint8Array[] {
    const length = this.#directory.reduce((sum, one) => sum + one.length, 0);
    const end = new Uint8Array(22);
    const view = new DataView(end.buffer);
    view.setUint32(0, signatures.end, true);
    view.setUint16(8, this.#directory.length, true);
    view.setUint16(10, this.#directory.length, true);
    view.setUint32(12, length, true);
    view.setUint32(16, this.#at, true);
    return [...this.#directory, end];
  }
}

/** Limit of an entry, packed and unpacked: a page is 1 MB plus a row, held several times while parsed. */
const longestEntry = 16 * 1024 * 1024;

export async function* entriesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Entry, void> {
  const source = new Source(pieces);
  for (let count = 0; ; count += 1) {
    const signature = await source.take(4);
    const kind = viewOf(signature).getUint32(0, true);
    if (kind === signatures.directory || kind === signatures.end) return;
    // Limits per our own writer, since each entry takes memory.
    if (kind !== signatures.file || count >= most.entries || source.taken > most.bytes)
      throw new DamagedCopy("This isn't a workspace backup");
    const head = viewOf(await source.take(26));
    const [flags, method] = [head.getUint16(2, true), head.getUint16(4, true)];
    const [crc, packedLength, length] = [head.getUint32(10, true), head.getUint32(14, true), head.getUint32(18, true)];
    const path = await source.take(head.getUint16(22, true));
    await source.take(head.getUint16(24, true));
    if ((flags & 0x09) !== 0 || (method !== 0 && method !== 8) || packedLength > longestEntry || length > longestEntry)
      throw new DamagedCopy("This isn't a workspace backup");
    const packed = await source.take(packedLength);
    const bytes = method === 0 ? packed : await inflated(packed, length);
    if (bytes.length !== length || crc32(bytes) !== crc) throw new DamagedCopy("The backup is damaged");
    yield { name: new TextDecoder().decode(path), bytes };
  }
}

/** Chunk size; expands at most a thousand times (zip bombs). */
const step = 16_384;

/** Asynchronous, off the event loop. Stops when more than the declared size is unpacked. */
async function inflated(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const bytes = await bytesUpTo(inSteps(packed).pipeThrough(new DecompressionStream("deflate-raw")), length).catch(() => null);
  if (bytes === null) throw new DamagedCopy("The backup is damaged");
  return new Uint8Array(bytes);
}

function inSteps(bytes: Uint8Array): ReadableStream<BufferSource> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += step)) as BufferSource);
    },
  });
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

class Source {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #left: Uint8Array = new Uint8Array(0);
  taken = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Uint8Array> {
    this.taken += count;
    const taken = new Uint8Array(count);
    for (let filled = 0; filled < count;) {
      if (this.#left.length === 0) {
        const piece = await this.#pieces.next();
        if (piece.done) throw new DamagedCopy("The backup is incomplete");
        this.#left = piece.value;
        continue;
      }
      const part = this.#left.subarray(0, count - filled);
      taken.set(part, filled);
      filled += part.length;
      this.#left = this.#left.subarray(part.length);
    }
    return taken;
  }
}
