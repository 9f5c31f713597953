import { viewOf } from "./byte-ranges.ts";

const orientationTag = 0x0112;
const short = 3;

export function orientationIn(exif: Uint8Array): number {
  const view = viewOf(exif);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const fields = view.getUint32(4, isLittle);
    for (let left = view.getUint16(fields, isLittle), at = fields + 2; left > 0; left -= 1, at += 12) {
      if (view.getUint16(at, isLittle) !== orientationTag || view.getUint16(at + 2, isLittle) !== short) continue;
      const orientation = view.getUint16(at + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

/** Minimal EXIF with the orientation only. */
export const exifOf = (orientation: number): Uint8Array =>
  new Uint8Array([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, short, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);

/** Displayed size: orientations 5 to 8 are rotated by 90°. */
export const displayedSize = (width: number, height: number, orientation: number): { width: number; height: number } =>
  orientation >= 5 ? { width: height, height: width } : { width, height };
