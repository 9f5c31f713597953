import { describe, expect, test } from "vitest";
import { gif, jpeg, png, webp } from "../../tests/support/picture-files.ts";
import { readPicture } from "../api/images/image-file.ts";
import type { Card } from "./card.ts";
import { draw } from "./draw.ts";
import { cardOf, type Subject } from "./fill.ts";
import { logoOf, readLogo } from "./logo.ts";
import { pixelsOf } from "../../tests/support/png-pixels.ts";

const subject: Subject = {
  workspace_name: "Acme",
  logo_url: null,
  logo_dark_url: null,
  appearance: {},
  title: "Dark mode",
  published_at: "2026-03-03T10:00:00Z",
};
const noLogo = () => Promise.resolve(null);
const card = (changes: Partial<Subject> = {}) => cardOf({ ...subject, ...changes }, noLogo);
const look = (settings: object) => card({ appearance: settings });

describe("a card", () => {
  test("shows workspace, title and date", async () => {
    expect(await card()).toMatchObject({ name: "Acme", title: "Dark mode", line: "March 3rd, 2026", direction: "ltr", font: "inter" });
  });
  test("uses the workspace's accent, darkened until readable", async () => {
    expect((await look({ accent: "#ffee00" })).colours.accent).not.toBe("#ffee00");
    expect((await look({ accent: "#7a0000" })).colours.accent).toBe("#7a0000");
  });
  test("is dark for a dark page", async () => {
    expect((await look({ theme: "dark" })).colours.ground).toBe("#161412");
    for (const theme of ["light", "system"]) expect((await look({ theme })).colours.ground).toBe("#fbfaf8");
  });
  test("is mirrored for right-to-left languages", async () => {
    const { direction, line } = await look({ locale: "ar" });
    expect(direction).toBe("rtl");
    expect(line).toMatch(/مارس/);
  });
  test.each(["red;background:url(//x)", "#12345", 7, null])("ignores %j as a colour", async (accent) => {
    expect((await look({ accent })).colours.accent).toBe("#0b6b62");
  });
  test("uses the dark logo on dark backgrounds, else the normal one", async () => {
    const asked: string[] = [];
    const logo = (address: string) => Promise.resolve((asked.push(address), null));
    await cardOf({ ...subject, logo_url: "/light.png", logo_dark_url: "/dark.png", appearance: { theme: "dark" } }, logo);
    await cardOf({ ...subject, logo_url: "/light.png", appearance: { theme: "dark" } }, logo);
    await cardOf({ ...subject, logo_url: "/light.png", logo_dark_url: "/dark.png" }, logo);
    expect(asked).toEqual(["/dark.png", "/light.png", "/light.png"]);
  });
});

describe("a picture", () => {
  async function drawnIn(changes: Partial<Card>): Promise<{ left: number; right: number; top: number; bottom: number; marks: number }> {
    const { width, height, at } = pixelsOf(await draw({ ...(await card()), ...changes }));
    const ground = at(2, 2);
    const found = { left: width, right: 0, top: height, bottom: 0, marks: 0 };
    for (let y = 0; y < height - 18; y += 1)
      for (let x = 0; x < width; x += 1)
        if (at(x, y) !== ground) {
          found.left = Math.min(found.left, x);
          found.right = Math.max(found.right, x);
          found.top = Math.min(found.top, y);
          found.bottom = Math.max(found.bottom, y);
          found.marks += 1;
        }
    return found;
  }

  test("is 1200 by 630 pixels and deterministic", async () => {
    const one = await draw(await card());
    expect(readPicture(one, "png")).toMatchObject({ width: 1_200, height: 630 });
    expect(Buffer.from(await draw(await card())).equals(one)).toBe(true);
    expect(Buffer.from(await draw(await card({ title: "Bright mode" }))).equals(one)).toBe(false);
  });

  const words = "Everything about the new dashboard and what it means for you and your colleagues ";
  test.each([
    ["of 119 wide letters", "W".repeat(119)],
    ["of 119 characters", (words + words).slice(0, 119).trim()],
    ["of one word of 119", "Donaudampfschifffahrtsgesellschaft".repeat(4).slice(0, 119)],
    ["of Arabic", "إطلاق الإصدار الجديد من لوحة التحكم ".repeat(4).slice(0, 119).trim()],
    ["of capitals", (words + words).slice(0, 119).trim().toUpperCase()],
  ])("keeps a title %s within its edges", async (_, title) => {
    const { left, right, top, bottom } = await drawnIn({ title });
    expect(left).toBeGreaterThanOrEqual(60);
    expect(right).toBeLessThanOrEqual(1_140);
    expect(top).toBeGreaterThanOrEqual(40);
    expect(bottom).toBeLessThanOrEqual(600);
  });

  test("fits the longest workspace name", async () => {
    for (const title of [null, "Dark mode"]) {
      const { right, bottom } = await drawnIn({ name: "A workspace that has a name ".repeat(5).slice(0, 100), title });
      expect(right).toBeLessThanOrEqual(1_140);
      expect(bottom).toBeLessThanOrEqual(600);
    }
  });

  test("draws joined Arabic letters without missing glyphs", async () => {
    const joined = await drawnIn({ title: "ببب", line: null, name: null });
    const apart = await drawnIn({ title: "ب ب ب", line: null, name: null });
    expect(joined.marks).toBeLessThan(apart.marks);
    expect(joined.marks).toBeGreaterThan(0);
  });

  test("without drawable text is plain, not empty", async () => {
    const { marks } = await drawnIn({ name: null, title: null, line: null });
    expect(marks).toBeGreaterThan(10_000);
  });
});

describe("a logo", () => {
  const pixels = (width: number, height: number) => png.file(png.head(width, height), png.pixels());

  test("accepts PNG, JPEG and GIF", () => {
    expect(logoOf(pixels(64, 32))).toMatchObject({
      width: 64,
      height: 32,
      url: expect.stringMatching(/^data:image\/png;base64,/) as string,
    });
    expect(logoOf(jpeg.file(jpeg.jfif(), jpeg.frame(64, 32), jpeg.scan()))).toMatchObject({ width: 64, height: 32 });
    expect(logoOf(gif.file(gif.head(64, 32), gif.image(64, 32)))).toMatchObject({ width: 64, height: 32 });
  });
  test("skips a JPEG with too many scans", () => {
    const scans = (count: number) => jpeg.file(jpeg.jfif(), jpeg.frame(64, 32), ...Array.from({ length: count }, () => jpeg.scan()));
    expect(logoOf(scans(12))).toMatchObject({ width: 64, height: 32 });
    expect(logoOf(scans(5_000))).toBeNull();
  });
  test("skips WebP, invalid files and too many pixels", () => {
    expect(logoOf(webp.file(webp.pixels(1, 1)))).toBeNull();
    expect(logoOf(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))).toBeNull();
    expect(logoOf(pixels(20_000, 2_500))).toBeNull();
  });
  test("a broken file only omits the logo", async () => {
    const logo = logoOf(pixels(64, 64))!;
    expect(readPicture(await draw({ ...(await card()), logo }), "png")).toMatchObject({ width: 1_200 });
  });
  test.each([
    "https://elsewhere.example/logo.png",
    "//elsewhere.example/logo.png",
    "/storage/v1/object/public/post-images/x/y.png",
    "/storage/v1/object/public/logos/../../../../auth/v1/admin/users",
    "/storage/v1/object/public/logos/a/b.png?x=1",
    "data:image/png;base64,AAAA",
    "http://169.254.169.254/latest/meta-data",
  ])("at %s isn't requested", async (address) => {
    expect(await readLogo("http://127.0.0.1:1", address)).toBeNull();
  });
});
