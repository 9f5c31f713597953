import { describe, expect, test } from "vitest";
import { imageExtension, type ImageExtension } from "#contract/rules/image-type.ts";
import { readPicture } from "./image-file.ts";
import { ascii, bareExif, bytes, cameraExif, gif, jpeg, join, png, webp } from "../../../tests/support/picture-files.ts";

const secret = ascii("SECRET");
const read = (file: Uint8Array) => readPicture(file, imageExtension(file)!);
const tail = join(secret, bytes(0xff, 0xd8, 0xff), secret);
const profile = ascii("sRGB, the colours");
const iccp = (name: string) => png.chunk("iCCP", join(ascii(`${name}\0`), bytes(0), profile));
const adobe = bytes(...ascii("Adobe"), 0, 100, 0, 0, 0, 0, 1);
const paletteHead = png.chunk("IHDR", bytes(0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0));
const words = jpeg.segment(0xfe, secret);
const xmp = ascii("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>SECRET</x:xmpmeta>");
const chunks = ["tEXt", "zTXt", "iTXt", "tIME", "dSIG", "prVt"].map((type) => png.chunk(type, secret));

const cases: Record<string, { from: Uint8Array; to: Uint8Array; width: number; height: number; frames?: number }> = {
  "a JPEG with EXIF, XMP, IPTC, comments, small pictures and another file behind it": {
    from: join(
      jpeg.file(
        jpeg.segment(0xe0, join(ascii("JFIF\0"), bytes(1, 1, 0, 0, 1, 0, 1, 1, 1), bytes(83, 69, 67))),
        jpeg.segment(0xe0, join(ascii("JFXX\0"), secret)),
        jpeg.exif(cameraExif(1)),
        jpeg.segment(0xe1, xmp),
        jpeg.segment(0xe2, join(ascii("MPF\0"), secret)),
        jpeg.segment(0xe2, join(ascii("ICC_PROFILE\0"), bytes(1, 1), profile)),
        jpeg.segment(0xed, join(ascii("Photoshop 3.0\0"), secret)),
        jpeg.segment(0xee, join(adobe, secret)),
        jpeg.segment(0xee, ascii("Adobe")),
        words,
        bytes(0xff, 0xff),
        jpeg.frame(30, 20),
        jpeg.scan(),
        words,
        jpeg.scan(),
      ),
      tail,
    ),
    to: jpeg.file(
      jpeg.jfif(),
      jpeg.segment(0xe2, join(ascii("ICC_PROFILE\0"), bytes(1, 1), profile)),
      jpeg.segment(0xee, adobe),
      jpeg.frame(30, 20),
      jpeg.scan(),
      jpeg.scan(),
    ),
    width: 30,
    height: 20,
  },
  "a JPEG of a camera that was held upright": {
    from: jpeg.file(jpeg.jfif(), jpeg.exif(cameraExif(6)), jpeg.exif(cameraExif(3)), jpeg.frame(30, 20), jpeg.scan()),
    to: jpeg.file(jpeg.jfif(), jpeg.exif(bareExif(6)), jpeg.frame(30, 20), jpeg.scan()),
    width: 20,
    height: 30,
  },
  "a JPEG of a camera that was held upside down": {
    from: jpeg.file(jpeg.exif(cameraExif(3)), jpeg.frame(30, 20), jpeg.scan()),
    to: jpeg.file(jpeg.exif(bareExif(3)), jpeg.frame(30, 20), jpeg.scan()),
    width: 30,
    height: 20,
  },
  "a JPEG whose camera forgot the end": {
    from: jpeg.file(jpeg.frame(30, 20), jpeg.scan()).subarray(0, -2),
    to: jpeg.file(jpeg.frame(30, 20), jpeg.scan()),
    width: 30,
    height: 20,
  },
  "a PNG with texts, times, unknown chunks and bytes behind its end": {
    from: join(png.file(png.head(30, 20), ...chunks, iccp("SECRET"), png.chunk("eXIf", cameraExif(1)), png.pixels(), ...chunks), tail),
    to: png.file(png.head(30, 20), iccp("ICC profile"), png.pixels()),
    width: 30,
    height: 20,
  },
  "a PNG with more in its parts than they have, twice what there is once, and data in its end": {
    from: join(
      png.signature,
      png.head(30, 20),
      png.chunk("gAMA", join(bytes(0, 0, 177, 143), secret)),
      png.chunk("cHRM", new Uint8Array(32)),
      png.chunk("cHRM", join(secret, new Uint8Array(26))),
      png.chunk("iCCP", secret),
      png.chunk("PLTE", bytes(1, 2, 3)),
      png.chunk("tRNS", secret),
      png.chunk("hIST", secret),
      png.chunk("bKGD", new Uint8Array(6)),
      png.pixels(),
      png.chunk("fdAT", secret),
      png.chunk("IEND", secret),
    ),
    to: png.file(
      png.head(30, 20),
      png.chunk("cHRM", new Uint8Array(32)),
      png.chunk("PLTE", bytes(1, 2, 3)),
      png.chunk("bKGD", new Uint8Array(6)),
      png.pixels(),
    ),
    width: 30,
    height: 20,
  },
  "a PNG with a palette": {
    from: png.file(
      paletteHead,
      png.chunk("PLTE", bytes(1, 2, 3, 4, 5, 6)),
      png.chunk("hIST", bytes(0, 1, 0, 2)),
      png.chunk("tRNS", bytes(0, 9)),
      png.pixels(),
    ),
    to: png.file(
      paletteHead,
      png.chunk("PLTE", bytes(1, 2, 3, 4, 5, 6)),
      png.chunk("hIST", bytes(0, 1, 0, 2)),
      png.chunk("tRNS", bytes(0, 9)),
      png.pixels(),
    ),
    width: 1,
    height: 1,
  },
  "a PNG that is turned": {
    from: png.file(png.head(30, 20), png.chunk("eXIf", cameraExif(8)), png.pixels()),
    to: png.file(png.head(30, 20), png.chunk("eXIf", bareExif(8)), png.pixels()),
    width: 20,
    height: 30,
  },
  "an animated PNG": {
    from: png.file(png.head(30, 20), png.chunk("acTL", bytes(0, 0, 0, 2)), png.chunk("fcTL"), png.pixels(), chunks[0]!, png.chunk("fcTL")),
    to: png.file(png.head(30, 20), png.chunk("acTL", bytes(0, 0, 0, 2)), png.chunk("fcTL"), png.pixels(), png.chunk("fcTL")),
    width: 30,
    height: 20,
    frames: 2,
  },
  "an animated GIF with comments, a text, XMP and bytes behind its end": {
    from: join(
      gif.file(
        gif.head(30, 20),
        gif.extension(0xff, ascii("NETSCAPE2.0"), bytes(1, 3, 0), secret),
        gif.extension(0xff, ascii("XMP DataXMP"), secret, secret),
        gif.extension(0xfe, secret, secret),
        gif.control(),
        gif.image(30, 20),
        gif.extension(0x01, new Uint8Array(12), secret),
        gif.extension(0xff, ascii("ICCRGBG1012"), secret),
        gif.image(10, 10),
      ),
      tail,
    ),
    to: gif.file(gif.head(30, 20), gif.loop(), gif.control(), gif.image(30, 20), gif.image(10, 10)),
    width: 30,
    height: 20,
    frames: 2,
  },
  "a GIF whose first picture is larger than its screen": {
    from: gif.file(gif.head(1, 1), gif.image(40, 20)),
    to: gif.file(gif.head(1, 1), gif.image(40, 20)),
    width: 40,
    height: 20,
  },
  "a simple WebP with chunks and bytes behind its pixels": {
    from: join(webp.file(webp.lossyPixels(30, 20), webp.chunk("EXIF", cameraExif(6)), webp.chunk("what", secret)), tail),
    to: webp.file(webp.lossyPixels(30, 20)),
    width: 30,
    height: 20,
  },
  "an extended WebP with EXIF and XMP": {
    from: join(
      webp.file(
        webp.head(0x3c, 30, 20),
        webp.chunk("ICCP", profile),
        webp.pixels(30, 20),
        webp.chunk("EXIF", cameraExif(1)),
        webp.chunk("XMP ", xmp),
        webp.chunk("what", secret),
      ),
      tail,
    ),
    to: webp.file(webp.head(0x30, 30, 20), webp.chunk("ICCP", profile), webp.pixels(30, 20)),
    width: 30,
    height: 20,
  },
  "a WebP with more in its head and parts than they have, and twice what there is once": {
    from: webp.file(
      webp.chunk("VP8X", join(bytes(0xff, 83, 69, 67), webp.head(0, 30, 20).subarray(12), secret)),
      webp.chunk("ICCP", profile),
      webp.chunk("ICCP", secret),
      webp.chunk("ANIM", join(new Uint8Array(6), secret)),
      webp.chunk("ANIM", secret),
      webp.frame(webp.pixels(30, 20)),
    ),
    to: webp.file(
      webp.head(0x32, 30, 20),
      webp.chunk("ICCP", profile),
      webp.chunk("ANIM", new Uint8Array(6)),
      webp.frame(webp.pixels(30, 20)),
    ),
    width: 30,
    height: 20,
  },
  "a WebP that is turned, where other programs than browsers show it": {
    from: webp.file(webp.head(0x08, 30, 20), webp.pixels(30, 20), webp.chunk("EXIF", cameraExif(6))),
    to: webp.file(webp.head(0x08, 30, 20), webp.pixels(30, 20), webp.chunk("EXIF", bareExif(6))),
    width: 30,
    height: 20,
  },
  "an animated WebP": {
    from: webp.file(
      webp.head(0x06, 30, 20),
      webp.chunk("ANIM", new Uint8Array(6)),
      webp.frame(webp.chunk("ALPH", bytes(1, 2, 3)), webp.lossyPixels(30, 20)),
      webp.frame(webp.pixels(30, 20)),
      webp.chunk("XMP ", xmp),
    ),
    to: webp.file(
      webp.head(0x02, 30, 20),
      webp.chunk("ANIM", new Uint8Array(6)),
      webp.frame(webp.chunk("ALPH", bytes(1, 2, 3)), webp.lossyPixels(30, 20)),
      webp.frame(webp.pixels(30, 20)),
    ),
    width: 30,
    height: 20,
    frames: 2,
  },
};

describe.each(Object.entries(cases))("%s", (_, { from, to, width, height, frames = 1 }) => {
  test("keeps only the image", () => {
    const picture = read(from);
    expect(Buffer.from(picture!.bytes).toString("latin1")).toBe(Buffer.from(to).toString("latin1"));
    expect(picture).toMatchObject({ width, height, frames });
  });

  test("is stable when processed again", () => {
    expect(read(read(from)!.bytes)).toEqual(read(from));
  });

  test("truncated anywhere, a file is rejected or stripped", () => {
    for (let length = 12; length < from.length; length += 1) {
      const part = read(from.subarray(0, length));
      if (part) expect(Buffer.from(part.bytes).includes("SECRET")).toBe(false);
    }
  });
});

const broken: Record<string, Uint8Array> = {
  "a JPEG without a frame": jpeg.file(jpeg.jfif()),
  "a JPEG with two frames": jpeg.file(jpeg.frame(1, 1), jpeg.frame(9, 9), jpeg.scan()),
  "a JPEG with more in its frame than that has": jpeg.file(
    jpeg.segment(0xc0, join(bytes(8, 0, 1, 0, 1, 1, 1, 0x11, 0), secret)),
    jpeg.scan(),
  ),
  "a JPEG with more in the head of a scan": jpeg.file(jpeg.frame(1, 1), jpeg.segment(0xda, join(bytes(1, 1, 0, 0, 63, 0), secret))),
  "a JPEG with more in its interval of restarts": jpeg.file(jpeg.frame(1, 1), jpeg.segment(0xdd, join(bytes(0, 8), secret)), jpeg.scan()),
  "a JPEG with words between its segments": jpeg.file(jpeg.frame(1, 1), secret),
  "a JPEG whose segment is shorter than its length": jpeg.file(jpeg.frame(1, 1), bytes(0xff, 0xdb, 0xff, 0xff)),
  "a PNG without pixels": png.file(png.head(1, 1)),
  "a PNG with two heads": png.file(png.head(1, 1), png.head(9, 9), png.pixels()),
  "a PNG whose head comes later": png.file(png.chunk("tEXt", secret), png.head(1, 1), png.pixels()),
  "a PNG with a part that nobody may leave aside": png.file(png.head(1, 1), png.chunk("ABCD"), png.pixels()),
  "a PNG without an end": png.file(png.head(1, 1), png.pixels()).subarray(0, -12),
  "a GIF without a picture": gif.file(gif.head(1, 1)),
  "a WebP without pixels": webp.file(webp.head(0, 1, 1)),
  "a WebP with two heads": webp.file(webp.head(0, 1, 1), webp.head(0, 9, 9), webp.pixels(1, 1)),
  "a WebP with a second picture that nobody sees": webp.file(webp.head(0, 9, 9), webp.pixels(1, 1), webp.pixels(9, 9)),
  "a WebP whose pixels are none": webp.file(webp.chunk("VP8 ", new Uint8Array(10))),
  "a WebP that hides a larger image in a smaller one": webp.file(webp.head(0, 1, 1), webp.pixels(9_000, 9_000)),
  "a WebP with more than pixels in a frame": webp.file(webp.head(2, 1, 1), webp.frame(webp.pixels(1, 1), webp.chunk("EXIF", secret))),
  "a PNG of no size": png.file(png.head(0, 5), png.pixels()),
};
test.each(Object.entries(broken))("%s isn't an image", (_, file) => expect(read(file)).toBeNull());

const crowds: Record<ImageExtension, (parts: number) => Uint8Array> = {
  png: (parts) => png.file(png.head(1, 1), times(parts, png.chunk("tEXt")), png.pixels()),
  jpg: (parts) => jpeg.file(jpeg.frame(1, 1), times(parts, jpeg.segment(0xfe, bytes())), jpeg.scan()),
  gif: (parts) => gif.file(gif.head(1, 1), times(parts, gif.extension(0xfe)), gif.image(1, 1)),
  webp: (parts) => webp.file(webp.head(0, 1, 1), times(parts, webp.chunk("what", bytes())), webp.pixels(1, 1)),
};
const times = (count: number, part: Uint8Array) => new Uint8Array(Buffer.alloc(count * part.length, part));
describe.each(Object.entries(crowds))("a %s", (_, crowd) => {
  test("a file with many parts is read in one pass", () => expect(read(crowd(15_000))!.bytes.length).toBeLessThan(200));
  test("a file of only parts is rejected, as it would block the process", () => expect(read(crowd(300_000))).toBeNull());
});
test("a WebP can't hide parts in its frames", () => {
  const frame = webp.frame(...Array.from({ length: 100 }, () => webp.chunk("ALPH", bytes())));
  expect(read(webp.file(webp.head(2, 1, 1), times(100, frame)))!.frames).toBe(100);
  expect(read(webp.file(webp.head(2, 1, 1), times(500, frame)))).toBeNull();
});

const pixels: Record<string, Uint8Array> = {
  "none that is escaped": new Uint8Array(5_000),
  "all of them escaped": times(5_000, bytes(0xff, 0)),
  "all of them restarts": times(5_000, bytes(0xff, 0xd7)),
  "all of them filling": times(5_000, bytes(0xff)),
  "far from one another": times(50, join(new Uint8Array(99), bytes(0xff, 0), new Uint8Array(7), bytes(0xff, 0xff, 0xd0))),
  "an escape at the edge of a long run": times(5, join(new Uint8Array(33), bytes(0xff, 0), new Uint8Array(32), bytes(0xff, 0))),
};
test.each(Object.entries(pixels))("the end of a JPEG's scan is found: %s", (_, scan) => {
  const file = jpeg.file(jpeg.frame(1, 1), jpeg.segment(0xda, bytes(1, 1, 0, 0, 63, 0)), scan);
  const hidden = join(file.subarray(0, -2), jpeg.segment(0xfe, secret), jpeg.end);
  for (const whole of [file, hidden]) expect(Buffer.from(read(whole)!.bytes).equals(Buffer.from(file))).toBe(true);
});
