import { describe, expect, test } from "vitest";
import { tagColours } from "#contract/tags.ts";
import { defaultAppearance, fonts } from "#contract/appearance-choices.ts";
import { styleFor } from "./style.ts";

const style = styleFor(defaultAppearance).text;

const [light, dark] = style.split("@media (prefers-color-scheme: dark)").map((part) => {
  const tokens = [...part.slice(0, part.indexOf("}")).matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)];
  return Object.fromEntries(tokens.map(([, name, value]) => [name, value])) as Record<string, string>;
}) as [Record<string, string>, Record<string, string>];

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [brighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (brighter + 0.05) / (darker + 0.05);
}

describe.each([
  ["light", light],
  ["dark", dark],
])("on the public pages, %s,", (_scheme, tokens) => {
  test.each(tagColours)("a %s tag is readable", (colour) => {
    expect(contrast(tokens[colour]!, tokens[`${colour}-ground`]!)).toBeGreaterThanOrEqual(5.4);
  });
  test.each([
    ["text", "bg"],
    ["muted", "bg"],
    ["accent", "bg"],
    ["text", "well"],
    ["muted", "panel"],
    ["on-accent", "accent"],
    ["text", "mark"],
    ["purple", "well"],
    ["blue", "well"],
    ["green", "well"],
    ["orange", "well"],
    ["red", "well"],
    ["muted", "well"],
  ])("%s on %s can be read", (ink, ground) => {
    expect(contrast(tokens[ink]!, tokens[ground]!)).toBeGreaterThanOrEqual(5.4);
  });
  test("a field is visible", () => expect(contrast(tokens["control"]!, tokens["panel"]!)).toBeGreaterThanOrEqual(3));
});

test.each(fonts)("every custom property is defined, with %s", (font) => {
  const { text } = styleFor({ ...defaultAppearance, font });
  const asked = new Set([...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!));
  expect([...asked].filter((name) => !text.includes(`${name}:`))).toEqual([]);
});
