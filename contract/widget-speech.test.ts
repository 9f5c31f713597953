import { describe, expect, test } from "vitest";
import { defaultAppearance, fonts } from "./appearance-choices.ts";
import { widgetSpeech } from "./releases.ts";
import { speechOf } from "./widget-speech.ts";

const speak = (look: Partial<typeof defaultAppearance>, fontFamily: "system" | "inter" | "roboto" | "arial" = "system") =>
  speechOf({ look: { ...defaultAppearance, ...look }, fontFamily, posts: 3, file: (path) => `https://acme.test${path}` });

describe("the widget's language and appearance", () => {
  test("matches the schema", () => {
    for (const font of fonts) expect(widgetSpeech.parse(speak({ font, locale: "ar" }))).toEqual(speak({ font, locale: "ar" }));
  });
  test("has no CSS and no fonts by default", () => {
    expect(speak({})).toMatchObject({ style: "", fonts: [], locale: "en", dir: "ltr" });
  });
  test.each([
    ["inter", "inter", "inter"],
    ["geist", "inter", "inter"],
    ["geist", "system", "geist"],
    ["source-serif", "system", "source-serif"],
    ["geist", "arial", null],
    ["geist", "roboto", "roboto"],
    ["inter", "system", null],
    ["system", "system", null],
  ] as const)("page in %s, widget in %s: %s is served", (font, fontFamily, served) => {
    const families = speak({ font }, fontFamily).fonts.map(({ family, url }) => [
      family,
      url.startsWith(`https://acme.test/fonts/${served}-`),
    ]);
    expect(new Set(families.map(String))).toEqual(new Set(served === null ? [] : [`Tidings ${served},true`]));
  });
  test("pluralises for every number of posts it can show", () => {
    expect(speak({ locale: "ar" }).words.unread).toEqual(["تحديث جديد واحد", "تحديثان جديدان", "3 تحديثات جديدة"]);
    expect(speak({ locale: "fr" }).words.unread).toEqual(["1 nouvelle", "2 nouvelles", "3 nouvelles"]);
  });
  test("contains only colour rules, whatever is stored", () => {
    expect(speak({ accent: "red;background:url(//x)" }).style).not.toContain("url");
    expect(speak({ accent: "#123456" }).style).toMatch(
      /^\.root\{--accent:#\w{6};--on-accent:#\w{6}\}\[data-theme="dark"\]\{--accent:#\w{6};--on-accent:#\w{6}\}@media \(prefers-color-scheme:dark\)\{\[data-theme="system"\]\{--accent:#\w{6};--on-accent:#\w{6}\}\}$/,
    );
  });
});
