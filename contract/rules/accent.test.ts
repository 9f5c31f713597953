import { describe, expect, test } from "vitest";
import { accentColours, contrast, enoughContrast, leastContrast } from "./accent.ts";

const hex = (value: number) => `#${value.toString(16).padStart(6, "0")}`;

function* colours(): Generator<string> {
  for (const edge of ["#000000", "#ffffff", "#ffff00", "#0000ff", "#ff0000", "#00ff00", "#777777", "#767676", "#fbfaf8", "#161412"])
    yield edge;
  for (let seed = 22, left = 10_000; left > 0; left -= 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    yield hex(seed >>> 8);
  }
}

describe("an accent colour", () => {
  test("10,000 colours are readable on every background, as is text on them", () => {
    const unreadable: string[] = [];
    for (const chosen of colours())
      for (const side of ["light", "dark"] as const) {
        const { accent, hover, onAccent } = accentColours(chosen)[side];
        const least = Math.min(...[accent, hover].flatMap((colour) => [leastContrast(colour, side), contrast(onAccent, colour)]));
        if (!(least >= enoughContrast)) unreadable.push(`${chosen} ${side} ${least}`);
      }
    expect(unreadable).toEqual([]);
  });

  test("a readable colour stays as chosen", () => {
    expect(accentColours("#0b6b62").light.accent).toBe("#0b6b62");
    expect(accentColours("#4FC4B7").dark.accent).toBe("#4fc4b7");
    expect(accentColours("#5b21b6").light).toMatchObject({ accent: "#5b21b6", onAccent: "#ffffff" });
  });

  test("an unreadable colour is changed as little as possible", () => {
    for (const chosen of ["#ffd400", "#ff5a5f", "#00b8ff"])
      expect(leastContrast(accentColours(chosen).light.accent, "light")).toBeLessThan(4.7);
    expect(leastContrast(accentColours("#1d1dff").dark.accent, "dark")).toBeLessThan(4.7);
  });

  test("hover differs, also for black on white and white on black", () => {
    for (const chosen of ["#000000", "#ffffff", "#0b6b62"])
      for (const { accent, hover } of Object.values(accentColours(chosen))) expect(contrast(accent, hover), chosen).toBeGreaterThan(1.1);
  });

  test("no choice or an invalid colour gives the default", () => {
    const own = accentColours(null);
    expect(own.light).toEqual({ accent: "#0b6b62", hover: "#08564f", onAccent: "#ffffff" });
    for (const payload of ["red;background:url(//x)", "#0b6b62;}", "#fff", "", "#0b6b6g", "\n#0b6b62"])
      expect(accentColours(payload), payload).toBe(own);
  });

  test("contrast follows WCAG", () => {
    expect(contrast("#000000", "#ffffff")).toBe(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.478, 2);
    expect(contrast("#ffffff", "#ffffff")).toBe(1);
  });
});
