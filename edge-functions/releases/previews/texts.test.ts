import { expect, test } from "vitest";
import { PreviewTexts } from "./texts.ts";

const text = (length: number) => [{ id: "a", html: "x".repeat(length), words: "" }];

test("keeps what was rendered lately, up to so many characters; what is longer than all of them pushes out nothing", () => {
  const texts = new PreviewTexts(100);
  texts.keep("a", text(40));
  texts.keep("b", text(40));
  texts.keep("c", text(200));
  expect([texts.get("c"), texts.get("b"), texts.get("a")]).toEqual([undefined, text(40), text(40)]);
  texts.keep("d", text(40)); // "b" was asked for before "a"
  expect([texts.get("b"), texts.get("a"), texts.get("d")]).toEqual([undefined, text(40), text(40)]);
});
