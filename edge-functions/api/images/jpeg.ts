import { exifOf, orientationIn, displayedSize } from "./exif.ts";
import { KeptBytes, letters, PartCount, viewOf } from "./byte-ranges.ts";
import type { Picture } from "./picture.ts";

const endOfImage = 0xd9;
const startOfScan = 0xda;
/** DHT, DAC, DQT, DNL, DRI. */
const tables = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd]);
/** DNL, DRI. */
const numbers = new Set([0xdc, 0xdd]);
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Colour and density segments; anything after `headerLength` is dropped. */
const profile = { marker: 0xe2, name: "ICC_PROFILE\0" };
const adobe = { marker: 0xee, name: "Adobe", headerLength: 12 };
const jfif = { marker: 0xe0, name: "JFIF\0", headerLength: 14 };
const exif = { marker: 0xe1, name: "Exif\0\0" };

export function readJpeg(file: Uint8Array): Picture | null {
  const view = viewOf(file);
  const output = new KeptBytes(file);
  output.keep(0, 2);
  let size: { width: number; height: number } | undefined;
  let orientation: number | undefined;
  const parts = new PartCount();
  for (let at = 2; at < file.length;) {
    parts.next();
    if (view.getUint8(at) !== 0xff) return null;
    while (view.getUint8(at + 1) === 0xff) at += 1;
    const marker = view.getUint8(at + 1);
    if (marker === endOfImage) break;
    const data = at + 4;
    let end = at + 2 + view.getUint16(at + 2);
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8) || end < data || end > file.length) return null;
    const is = (segment: { marker: number; name: string }) =>
      marker === segment.marker && letters(file, data, data + segment.name.length) === segment.name;

    if (isFrame(marker)) {
      if (size || end - data !== 6 + 3 * view.getUint8(data + 5)) return null;
      size = { height: view.getUint16(data + 1), width: view.getUint16(data + 3) };
    }
    if (marker === startOfScan) {
      if (end - data !== 4 + 2 * view.getUint8(data)) return null;
      end = endOfScan(file, end);
    }
    if (numbers.has(marker) && end - data !== 2) return null;
    const headed = [jfif, adobe].find(is);
    if (isFrame(marker) || marker === startOfScan || tables.has(marker) || is(profile)) output.keep(at, end);
    else if (headed && end - data >= headed.headerLength) {
      const header = file.slice(at, data + headed.headerLength);
      header.set([0, headed.headerLength + 2], 2);
      if (headed === jfif) header.set([0, 0], header.length - 2);
      output.add(header);
    } else if (is(exif) && orientation === undefined) {
      orientation = orientationIn(file.subarray(data + exif.name.length, end));
      if (orientation > 1) output.add(exifSegment(orientation));
    }
    at = end;
  }
  if (!size) return null;
  output.add(new Uint8Array([0xff, endOfImage])); // some cameras omit it
  return { bytes: output.join(), ...displayedSize(size.width, size.height, orientation ?? 1), frames: 1 };
}

/** From this length on indexOf is faster than a loop; a file may be full of 0xff. */
const longRun = 32;

function endOfScan(file: Uint8Array, start: number): number {
  let others = 0;
  for (let at = start; at < file.length - 1; at += 1) {
    if (file[at] !== 0xff) {
      if (++others <= longRun) continue;
      at = file.indexOf(0xff, at);
      if (at < 0 || at === file.length - 1) break;
    }
    others = 0;
    const next = file[at + 1]!;
    if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 1;
    else if (next !== 0xff) return at;
  }
  return file.length;
}

function exifSegment(orientation: number): Uint8Array {
  const content = exifOf(orientation);
  const name = new TextEncoder().encode(exif.name);
  return new Uint8Array([0xff, exif.marker, 0, 2 + name.length + content.length, ...name, ...content]);
}
