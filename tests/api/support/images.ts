import { ascii, bytes, cameraExif, gif, join, jpeg, png, webp } from "../../support/picture-files.ts";

export const pictures = {
  png: new Uint8Array(
    Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
  ),
  gif: new Uint8Array(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")),
  jpeg: jpeg.file(jpeg.jfif(), jpeg.frame(1, 1), jpeg.scan()),
  webp: webp.file(webp.pixels(1, 1)),
};

export const notPictures = {
  "an SVG": ascii('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  "a page called .png": ascii("<!doctype html><script>alert(1)</script>"),
  "a program": bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0),
  "a PNG without its head": join(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ascii("IDAT")),
  "a JPEG without a frame": bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9),
  "half a signature": bytes(0x89, 0x50, 0x4e),
  "a RIFF that isn't WebP": join(ascii("RIFF"), bytes(26, 0, 0, 0), ascii("WAVEfmt ")),
};

export const pngOf = (size: number) => join(pictures.png, new Uint8Array(size - pictures.png.length));

const secret = ascii("SECRET");
export const talkative = {
  png: join(png.file(png.head(1, 1), png.chunk("tEXt", secret), png.chunk("eXIf", cameraExif(1)), png.pixels()), secret),
  jpeg: join(jpeg.file(jpeg.exif(cameraExif(6)), jpeg.segment(0xfe, secret), jpeg.frame(2, 1), jpeg.scan()), secret),
  webp: join(webp.file(webp.head(0x0c, 1, 1), webp.pixels(1, 1), webp.chunk("EXIF", cameraExif(1)), webp.chunk("XMP ", secret)), secret),
  gif: join(gif.file(gif.head(1, 1), gif.extension(0xfe, secret), gif.image(1, 1)), secret),
};

export const imagesOf = (width: number, height: number) => ({
  png: png.file(png.head(width, height), png.pixels()),
  jpeg: jpeg.file(jpeg.frame(width, height), jpeg.scan()),
  gif: gif.file(gif.head(1, 1), gif.image(width, height)),
});
export const animationOf = (frames: number, width: number, height: number): Uint8Array =>
  gif.file(gif.head(width, height), gif.loop(), ...Array.from({ length: frames }, () => gif.image(1, 1)));
