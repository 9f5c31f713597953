import { expect, test } from "vitest";
import { PreviewTexts } from "./texts.ts";

const text = (length: number) => [{ id: "a", html: "x".repeat(length), words: "" }];

test("caches recent texts up to a size; oversized ones evict nothing", () => {
  const texts = new PreviewTexts(100);
  texts.keep("a", text(40));
  texts.keep("b", text(40));
  texts.keep("c", text(200));
  expect([texts.get("c"), texts.get("b"), texts.get("a")]).toEqual([undefined, text(40), text(40)]);
  texts.keep("d", text(40));
  expect([texts.get("b"), texts.get("a"), texts.get("d")]).toEqual([undefined, text(40), text(40)]);
});
