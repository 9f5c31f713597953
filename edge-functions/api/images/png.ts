import { exifOf, orientationIn, shown } from "./exif.ts";
import { KeptBytes, letters, PartCount, viewOf } from "./kept-bytes.ts";
import type { Picture } from "./picture.ts";

/** Pixels, colours, density, animation. */
const needed = new Set(
  "IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs acTL fcTL fdAT".split(" "),
);
const startsLow = /^[a-z]/; // chunks that a reader may leave aside

export function readPng(file: Uint8Array): Picture | null {
  const view = viewOf(file);
  const kept = new KeptBytes(file);
  kept.keep(0, 8);
  if (letters(file, 12, 16) !== "IHDR" || view.getUint32(8) !== 13) return null;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  let orientation: number | undefined;
  let frames = 0;
  let hasPixels = false;
  const parts = new PartCount();
  for (let at = 8; ;) {
    parts.next();
    const [data, type] = [at + 8, letters(file, at + 4, at + 8)];
    const end = data + view.getUint32(at) + 4;
    if (end > file.length) return null;
    if (needed.has(type)) kept.keep(at, end);
    else if (!startsLow.test(type)) return null;
    else if (type === "eXIf" && orientation === undefined) {
      orientation = orientationIn(file.subarray(data, end - 4));
      if (orientation > 1) kept.add(chunk(type, exifOf(orientation)));
    }
    if (type === "IDAT") hasPixels = true;
    if (type === "fcTL") frames += 1;
    if (type === "IEND") break;
    at = end;
  }
  return hasPixels ? { bytes: kept.join(), ...shown(width, height, orientation ?? 1), frames: Math.max(1, frames) } : null;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array([0, 0, 0, 0, ...new TextEncoder().encode(type), ...data, 0, 0, 0, 0]);
  viewOf(bytes).setUint32(0, data.length);
  viewOf(bytes).setUint32(bytes.length - 4, crc32(bytes.subarray(4, -4)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
