import { expect, test } from "vitest";
import { textDirection } from "./text-direction.ts";

test.each([
  ["Dark mode", "ltr"],
  ["الوضع الداكن", "rtl"],
  ["מצב כהה", "rtl"],
  ["2.0: الوضع الداكن", "rtl"],
  ["「ダークモード」", "ltr"],
  ["Acme بالعربية", "ltr"],
  ["2.0 🎉", null],
  ["", null],
])("%s begins %s", (text, expected) => {
  expect(textDirection(text)).toBe(expected);
});
