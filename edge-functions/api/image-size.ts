import type { ImageExtension } from "#contract/rules/image-type.ts";

export interface ImageSize {
  width: number;
  height: number;
}

/** Width and height of an image in pixels, read from its head; null when the file does not say, which no honest one does. */
export function imageSize(bytes: Uint8Array, extension: ImageExtension): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = readers[extension](view);
    return size && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // the file ends before its head does
    throw error;
  }
}

const readers: Record<ImageExtension, (view: DataView) => ImageSize | null> = {
  png: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  gif: (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  jpg: jpegSize,
  webp: webpSize,
};

/** Walks the segments to the first frame header (SOF0 to SOF15; C4, C8 and CC are something else). */
function jpegSize(view: DataView): ImageSize | null {
  for (let offset = 2; ; offset += 2 + view.getUint16(offset + 2)) {
    while (view.getUint8(offset + 1) === 0xff) offset += 1; // fill bytes
    if (view.getUint8(offset) !== 0xff) return null;
    const marker = view.getUint8(offset + 1);
    if (marker === 0xd9 || marker === 0xda) return null;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) };
  }
}

/** The three kinds of WebP each say it in their own way. */
function webpSize(view: DataView): ImageSize | null {
  const kind = String.fromCharCode(...[12, 13, 14, 15].map((offset) => view.getUint8(offset)));
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const from24 = (offset: number) => view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16) + 1;
  return kind === "VP8X" ? { width: from24(24), height: from24(27) } : null;
}
