import { crc32 } from "node:zlib";

export const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
export const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const big16 = (value: number) => bytes(value >> 8, value & 255);
const big32 = (value: number) => bytes((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const little16 = (value: number) => big16(value).reverse();
const little24 = (value: number) => big32(value).reverse().subarray(0, 3);
const little32 = (value: number) => big32(value).reverse();

export const cameraExif = (orientation: number): Uint8Array =>
  join(
    ...[ascii("II*\0"), little32(8), little16(3)],
    ...[little16(0x010f), little16(2), little32(20), little32(62)],
    ...[little16(0x0112), little16(3), little32(1), little32(orientation)],
    ...[little16(0x8825), little16(4), little32(1), little32(50), little32(0)],
    ascii("GPS 48.137 11.575 SECRET CAMERA 12345"),
  );
export const bareExif = (orientation: number): Uint8Array =>
  join(ascii("MM\0*"), big32(8), big16(1), big16(0x0112), big16(3), big32(1), big16(orientation), big16(0), big32(0));

export const png = {
  signature: bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  chunk: (type: string, data: Uint8Array = bytes()): Uint8Array =>
    join(big32(data.length), ascii(type), data, big32(crc32(join(ascii(type), data)))),
  head: (width: number, height: number): Uint8Array => png.chunk("IHDR", join(big32(width), big32(height), bytes(8, 6, 0, 0, 0))),
  pixels: (): Uint8Array => png.chunk("IDAT", new Uint8Array(Buffer.from("789c6360f8cfc00000030101", "hex"))),
  file: (...chunks: Uint8Array[]): Uint8Array => join(png.signature, ...chunks, png.chunk("IEND")),
};

export const jpeg = {
  segment: (marker: number, data: Uint8Array): Uint8Array => join(bytes(0xff, marker), big16(data.length + 2), data),
  jfif: (): Uint8Array => jpeg.segment(0xe0, join(ascii("JFIF\0"), bytes(1, 1, 0, 0, 1, 0, 1, 0, 0))),
  exif: (content: Uint8Array): Uint8Array => jpeg.segment(0xe1, join(ascii("Exif\0\0"), content)),
  frame: (width: number, height: number): Uint8Array =>
    jpeg.segment(0xc0, join(bytes(8), big16(height), big16(width), bytes(1, 1, 0x11, 0))),
  scan: (): Uint8Array =>
    join(jpeg.segment(0xda, bytes(1, 1, 0, 0, 63, 0)), bytes(0x12, 0xff, 0, 0x34, 0xff, 0xd0, 0x56, 0xff, 0xff, 0, 0x78)),
  end: bytes(0xff, 0xd9),
  file: (...segments: Uint8Array[]): Uint8Array => join(bytes(0xff, 0xd8), ...segments, jpeg.end),
};

export const gif = {
  head: (width: number, height: number): Uint8Array =>
    join(ascii("GIF89a"), little16(width), little16(height), bytes(0x80, 0, 0), bytes(0, 0, 0, 255, 255, 255)),
  blocks: (...blocks: Uint8Array[]): Uint8Array => join(...blocks.flatMap((block) => [bytes(block.length), block]), bytes(0)),
  extension: (label: number, ...blocks: Uint8Array[]): Uint8Array => join(bytes(0x21, label), gif.blocks(...blocks)),
  loop: (): Uint8Array => gif.extension(0xff, ascii("NETSCAPE2.0"), bytes(1, 3, 0)),
  control: (): Uint8Array => gif.extension(0xf9, bytes(0, 10, 0, 0)),
  image: (width: number, height: number): Uint8Array =>
    join(bytes(0x2c, 0, 0, 0, 0), little16(width), little16(height), bytes(0, 2), gif.blocks(bytes(0x44, 1))),
  file: (...parts: Uint8Array[]): Uint8Array => join(...parts, bytes(0x3b)),
};

export const webp = {
  chunk: (type: string, data: Uint8Array): Uint8Array => join(ascii(type), little32(data.length), data, new Uint8Array(data.length % 2)),
  pixels: (width: number, height: number): Uint8Array =>
    webp.chunk(
      "VP8L",
      join(bytes(0x2f), little32(((width - 1) | ((height - 1) << 14) | (1 << 28)) >>> 0), bytes(7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 7)),
    ),
  lossyPixels: (width: number, height: number): Uint8Array =>
    webp.chunk("VP8 ", join(bytes(0x30, 1, 0, 0x9d, 1, 0x2a), little16(width), little16(height), bytes(1, 2, 3, 4))),
  head: (flags: number, width: number, height: number): Uint8Array =>
    webp.chunk("VP8X", join(bytes(flags, 0, 0, 0), little24(width - 1), little24(height - 1))),
  frame: (...chunks: Uint8Array[]): Uint8Array => webp.chunk("ANMF", join(new Uint8Array(16), ...chunks)),
  file: (...chunks: Uint8Array[]): Uint8Array => {
    const content = join(ascii("WEBP"), ...chunks);
    return join(ascii("RIFF"), little32(content.length), content);
  },
};
