import { describe, expect, test } from "vitest";
import { sizeOf } from "./card.ts";
import { directionOf, wordsOn } from "./card-text.ts";

describe("a card says", () => {
  test.each([
    ["Dark mode", "Dark mode"],
    ["  Two\n lines\t here ", "Two lines here"],
    ["🚀 Faster search 👩‍👩‍👧 for all 🇩🇪", "Faster search for all"],
    ["1️⃣ first", "1 first"],
    ["© 2026 Acme™", "© 2026 Acme™"],
    ["Cafe\u0301", "Café"],
    ["a\u202eb\u2066c\u200bd", "abcd"],
    ["Ünïcödé, ελληνικά, кириллица, Tiếng Việt", "Ünïcödé, ελληνικά, кириллица, Tiếng Việt"],
    ["إصدار جديد 2.0", "إصدار جديد 2.0"],
    ["مُشَكَّل", "مشكل"],
    ["گزارش‌ها", "گزارش‌ها"],
    ["גרסה חדשה", "גרסה חדשה"],
    ["שָׁלוֹם", "שלום"],
    [`<b>"&amp;'</b>`, `<b>"&amp;'</b>`],
  ])("%j as %j", (text, said) => {
    expect(wordsOn(text)).toBe(said);
  });

  test.each(["新しいダッシュボード", "Launch 发布", "ไทย", "x\u0332y", "हिन्दी", "🚀🎉", "…", "\u0000", "", "a\u{10ffff}"])(
    "nothing in place of %j",
    (text) => {
      expect(wordsOn(text)).toBeNull();
    },
  );
});

test.each([
  ["Dark mode", "ltr"],
  ["2.0: إصدار", "rtl"],
  ["API إصدار", "ltr"],
  ["גרסה API", "rtl"],
  ["2026", "ltr"],
] as const)("%j begins %s", (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});

test("longer titles get smaller letters, down to a size that fits any", () => {
  const sizes = [1, 10, 30, 60, 90, 119].map((length) => sizeOf("n".repeat(length)));
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(new Set(sizes).size).toBeGreaterThan(2);
});
