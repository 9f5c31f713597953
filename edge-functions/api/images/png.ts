import { crc32 } from "#contract/rules/crc32.ts";
import { exifOf, orientationIn, displayedSize } from "./exif.ts";
import { KeptBytes, letters, PartCount, viewOf } from "./byte-ranges.ts";
import type { Picture } from "./picture.ts";

/** Chunks needed for display with their maximum length by colour type; longer or repeated ones (except in `many`) are dropped. */
const longestOf = (colour: number): Map<string, number> =>
  new Map([
    ...(["IDAT", "fdAT", "iCCP"] as const).map((type) => [type, Infinity] as const),
    ...Object.entries({ IHDR: 13, PLTE: 768, cHRM: 32, gAMA: 4, sRGB: 1, cICP: 4, pHYs: 9, acTL: 8, fcTL: 26 }),
    ...Object.entries({ mDCV: 24, mDCv: 24, cLLI: 8, cLLi: 8 }),
    ["tRNS", { 0: 2, 2: 6 }[colour] ?? 0],
    ["bKGD", { 0: 2, 2: 6, 3: 1, 4: 2, 6: 6 }[colour] ?? 0],
    ["sBIT", { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 }[colour] ?? 0],
  ]);
const many = ["IDAT", "fcTL", "fdAT"];
/** Neutral name replaces the profile's. */
const profileName = new TextEncoder().encode("ICC profile\0");
const longestName = 79;
const startsLow = /^[a-z]/; // ancillary chunks

export function readPng(file: Uint8Array): Picture | null {
  const view = viewOf(file);
  const output = new KeptBytes(file);
  output.keep(0, 8);
  if (letters(file, 12, 16) !== "IHDR" || view.getUint32(8) !== 13) return null;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  let orientation: number | undefined;
  let frames = 0;
  const colour = view.getUint8(25);
  const longest = longestOf(colour);
  const seen = new Set<string>();
  const parts = new PartCount();
  for (let at = 8; ;) {
    parts.next();
    const [data, type] = [at + 8, letters(file, at + 4, at + 8)];
    const end = data + view.getUint32(at) + 4;
    if (end > file.length) return null;
    if (type === "IEND") break;
    const length = end - 4 - data;
    const fits = length <= (longest.get(type) ?? -1) && (many.includes(type) || !seen.has(type));
    const isOfAnimation = type === "fcTL" || type === "fdAT";
    if (fits && type === "iCCP") {
      const nameEnd = file.subarray(data, Math.min(data + longestName + 1, end - 4)).indexOf(0);
      if (nameEnd > 0) output.add(chunk(type, profileName, file.subarray(data + nameEnd + 1, end - 4)));
    } else if (fits && (!isOfAnimation || seen.has("acTL"))) {
      output.keep(at, end);
      if (type === "PLTE") longest.set("hIST", (length / 3) * 2).set("tRNS", colour === 3 ? length / 3 : longest.get("tRNS")!);
      if (type === "fcTL") frames += 1;
    } else if (!startsLow.test(type)) return null;
    else if (type === "eXIf" && orientation === undefined) {
      orientation = orientationIn(file.subarray(data, end - 4));
      if (orientation > 1) output.add(chunk(type, exifOf(orientation)));
    }
    seen.add(type);
    at = end;
  }
  output.add(chunk("IEND"));
  return seen.has("IDAT") ? { bytes: output.join(), ...displayedSize(width, height, orientation ?? 1), frames: Math.max(1, frames) } : null;
}

function chunk(type: string, ...data: Uint8Array[]): Uint8Array {
  const length = data.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(12 + length);
  viewOf(bytes).setUint32(0, length);
  let at = 4;
  for (const part of [new TextEncoder().encode(type), ...data]) {
    bytes.set(part, at);
    at += part.length;
  }
  viewOf(bytes).setUint32(at, crc32(bytes.subarray(4, at)));
  return bytes;
}
