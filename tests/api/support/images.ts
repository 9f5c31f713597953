const bytes = (...values: number[]) => new Uint8Array(values);
const ascii = (text: string) => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** The smallest files a browser shows, and files that only pretend. */
export const pictures = {
  png: new Uint8Array(
    Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
  ),
  gif: new Uint8Array(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")),
  jpeg: join(
    bytes(0xff, 0xd8, 0xff, 0xe0, 0, 16),
    ascii("JFIF\0"),
    bytes(1, 1, 0, 0, 1, 0, 1, 0, 0),
    bytes(0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9),
  ),
  webp: join(
    ascii("RIFF"),
    bytes(26, 0, 0, 0),
    ascii("WEBPVP8L"),
    bytes(13, 0, 0, 0, 0x2f, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 8),
  ),
};

export const notPictures = {
  "an SVG": ascii('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  "a page called .png": ascii("<!doctype html><script>alert(1)</script>"),
  "a program": bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0),
  "a PNG without its head": join(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ascii("IDAT")),
  "a JPEG without a frame": bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9),
  "half a signature": bytes(0x89, 0x50, 0x4e),
  "a RIFF that is no WebP": join(ascii("RIFF"), bytes(26, 0, 0, 0), ascii("WAVEfmt ")),
};

/** A PNG of exactly `size` bytes. */
export const pngOf = (size: number) => join(pictures.png, new Uint8Array(size - pictures.png.length));
