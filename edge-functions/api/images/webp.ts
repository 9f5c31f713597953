import { exifOf, orientationIn } from "./exif.ts";
import { KeptBytes, letters, PartCount, viewOf } from "./byte-ranges.ts";
import type { Picture } from "./picture.ts";

interface Chunk {
  type: string;
  start: number;
  data: number;
  dataEnd: number;
  end: number;
}

const riffHeader = 12;
const chunkHeader = 8;
const frameHeader = 16;
const exifFlag = 0x08;
const keptFlags = 0x32;
const needed: Record<string, number | undefined> = { ICCP: Infinity, ANIM: 6, ALPH: Infinity };
const headLength = 10;

export function readWebp(file: Uint8Array): Picture | null {
  const fileEnd = chunkHeader + viewOf(file).getUint32(4, true);
  if (fileEnd > file.length) return null;
  const first = chunkAt(file, riffHeader, fileEnd);
  if (first.type === "VP8X") return readExtended(file, first, fileEnd);
  const size = sizeOf(file, first);
  if (!size) return null;
  const output = new KeptBytes(file);
  output.keep(0, riffHeader);
  keepChunk(output, first);
  return { bytes: asFile(output), ...size, frames: 1 };
}

function readExtended(file: Uint8Array, head: Chunk, fileEnd: number): Picture | null {
  const view = viewOf(file);
  const side = (offset: number) => 1 + view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16);
  const canvas = { width: side(head.data + 4), height: side(head.data + 7) };
  const fits = (pixels: Chunk) => {
    const size = sizeOf(file, pixels);
    return size !== null && size.width <= canvas.width && size.height <= canvas.height;
  };
  const output = new KeptBytes(file);
  output.keep(0, riffHeader);
  output.add(cut(file, head, headLength));
  const seen = new Set<string>();
  let orientation: number | undefined;
  let frames = 0;
  const parts = new PartCount();
  for (const chunk of chunksIn(file, head.end, fileEnd, parts)) {
    if (chunk.type === "VP8X") return null;
    if (chunk.type === "ANMF") {
      for (const part of chunksIn(file, chunk.data + frameHeader, chunk.dataEnd, parts))
        if (part.type !== "ALPH" && !fits(part)) return null;
      frames += 1;
    } else if (isPixels(chunk)) {
      if (!fits(chunk) || frames > 0) return null;
      frames += 1;
    } else if (chunk.type === "EXIF" && orientation === undefined) {
      orientation = orientationIn(file.subarray(chunk.data, chunk.dataEnd));
      if (orientation > 1) output.add(exifChunk(orientation));
      continue;
    } else {
      const length = needed[chunk.type];
      if (length === undefined || seen.has(chunk.type)) continue;
      seen.add(chunk.type);
      if (chunk.dataEnd - chunk.data > length) {
        output.add(cut(file, chunk, length));
        continue;
      }
    }
    keepChunk(output, chunk);
  }
  if (frames === 0) return null;
  const bytes = asFile(output);
  const flags = riffHeader + chunkHeader;
  bytes[flags] = (view.getUint8(flags) & keptFlags) | (orientation !== undefined && orientation > 1 ? exifFlag : 0);
  bytes.fill(0, flags + 1, flags + 4);
  return { bytes, ...canvas, frames }; // browsers ignore EXIF rotation in WebP
}

function* chunksIn(file: Uint8Array, start: number, end: number, parts: PartCount): Generator<Chunk> {
  for (let at = start; at < end;) {
    parts.next();
    const chunk = chunkAt(file, at, end);
    yield chunk;
    at = chunk.end;
  }
}

function chunkAt(file: Uint8Array, start: number, limit: number): Chunk {
  const data = start + chunkHeader;
  const length = viewOf(file).getUint32(start + 4, true);
  const dataEnd = data + length;
  if (dataEnd > limit) throw new RangeError("truncated chunk");
  return { type: letters(file, start, start + 4), start, data, dataEnd, end: Math.min(limit, dataEnd + (length % 2)) };
}

function keepChunk(output: KeptBytes, { start, data, dataEnd, end }: Chunk): void {
  output.keep(start, end);
  if ((dataEnd - data) % 2 === 1 && end === dataEnd) output.add(new Uint8Array(1));
}

function cut(file: Uint8Array, { start, data, dataEnd }: Chunk, length: number): Uint8Array {
  if (dataEnd - data < length) throw new RangeError("chunk too short");
  const bytes = file.slice(start, data + length);
  viewOf(bytes).setUint32(4, length, true);
  return bytes;
}

const isPixels = ({ type }: Chunk): boolean => type === "VP8 " || type === "VP8L";

function sizeOf(file: Uint8Array, pixels: Chunk): { width: number; height: number } | null {
  const view = viewOf(file);
  const { type, data } = pixels;
  if (type === "VP8 " && view.getUint16(data + 3) === 0x9d01 && view.getUint8(data + 5) === 0x2a)
    return { width: view.getUint16(data + 6, true) & 0x3fff, height: view.getUint16(data + 8, true) & 0x3fff };
  if (type !== "VP8L" || view.getUint8(data) !== 0x2f) return null;
  const bits = view.getUint32(data + 1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function exifChunk(orientation: number): Uint8Array {
  const content = exifOf(orientation);
  return new Uint8Array([...new TextEncoder().encode("EXIF"), content.length, 0, 0, 0, ...content]);
}

function asFile(output: KeptBytes): Uint8Array {
  const bytes = output.join();
  viewOf(bytes).setUint32(4, bytes.length - chunkHeader, true);
  return bytes;
}
