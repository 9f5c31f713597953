import { gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { defaultAppearance, fonts, themes } from "#contract/appearance-choices.ts";
import { fontFiles } from "#contract/font-files.ts";
import { pageHeaders } from "../security-headers.ts";
import { styleFor, type Styled } from "./style.ts";

const looks: Styled[] = fonts.flatMap((font) => themes.map((theme) => ({ font, theme, accent: theme === "dark" ? "#ffee00" : null })));

describe.each(looks)("the style of $font, $theme, $accent", (look) => {
  const { text, hash } = styleFor(look);

  test("is small", () => expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThanOrEqual(8 * 1_024));

  test("matches its hash in both CSP headers", () => {
    const headers = pageHeaders(look);
    expect(hash).toBe(`sha256-${createHash("sha256").update(text).digest("base64")}`);
    expect(headers["content-security-policy"]).toContain(`style-src '${hash}';`);
    expect(headers["x-page-policy"]).toBe(headers["content-security-policy"]);
  });

  test("loads only its own font", () => {
    const addresses = [...text.matchAll(/url\(([^)]*)\)/g)].map(([, address]) => address);
    expect(addresses).toEqual(look.font === "system" ? [] : fontFiles[look.font].map(({ url }) => url));
    expect(text).not.toContain("@import");
  });

  test('has the other theme only for "system"', () => {
    expect(text.includes("prefers-color-scheme")).toBe(look.theme === "system");
    expect(text).toContain(`color-scheme: ${look.theme === "system" ? "light dark" : look.theme};`);
  });
});

test.each(["red;background:url(//x)", "#12345", "</style>", "#0b6b62;}"])("only a colour is accepted as accent: %s", (accent) => {
  expect(styleFor({ ...defaultAppearance, accent }).text).toBe(styleFor(defaultAppearance).text);
});

test("a chosen accent is made accessible", () => {
  const { text } = styleFor({ ...defaultAppearance, accent: "#7c3aed" });
  expect(text).toContain("--accent: #7c3aed");
  expect(styleFor({ ...defaultAppearance, accent: "#ffff00" }).text).not.toContain("--accent: #ffff00; --accent-hover: #ffff00");
});
