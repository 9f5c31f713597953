import { describe, expect, test } from "vitest";
import { type Stroke, strokeOf, withStroke, wordsOf } from "./strokes.ts";

const key = (name: string, init: KeyboardEventInit = {}) => strokeOf(new KeyboardEvent("keydown", { key: name, ...init }));
const text = (words: string): Stroke => ({ kind: "text", text: words });

describe("a key", () => {
  test("that writes or takes away is one stroke", () => {
    expect([key("a"), key(" "), key("漢"), key("/")]).toEqual([text("a"), text(" "), text("漢"), text("/")]);
    for (const name of ["Enter", "Backspace", "Delete"]) expect(key(name)).toMatchObject({ kind: "key", init: { key: name } });
    expect(key("Backspace", { ctrlKey: true })).toMatchObject({ kind: "key", init: { ctrlKey: true } });
    expect(key("€", { ctrlKey: true, altKey: true, modifierAltGraph: true })).toEqual(text("€"));
  });

  test("that changes no letter is none", () => {
    for (const name of ["ArrowLeft", "Home", "Shift", "Escape", "Tab", "F5", "Process", "Dead"]) expect(key(name)).toBeNull();
    for (const name of ["s", "c", "Enter", "k", "z"]) expect(key(name, { ctrlKey: true })).toBeNull();
  });
});

describe("what waits", () => {
  const typed = (...strokes: Stroke[]) => strokes.reduce<readonly Stroke[]>(withStroke, []);
  const back: Stroke = { kind: "key", init: { key: "Backspace" } };
  const enter: Stroke = { kind: "key", init: { key: "Enter" } };

  test("is one text as long as only letters come", () => {
    expect(typed(text("a"), text("b"), text("c"))).toEqual([text("abc")]);
    expect(wordsOf(typed(text("a"), enter, text("b")))).toBe("a\nb");
  });

  test("is taken back letter by letter, an emoji as a whole, and then by the text itself", () => {
    expect(typed(text("a"), text("👍"), back)).toEqual([text("a")]);
    expect(typed(text("a"), back)).toEqual([]);
    expect(typed(back)).toEqual([back]);
    expect(typed(text("ab"), { kind: "key", init: { key: "Backspace", ctrlKey: true } })).toHaveLength(2);
  });
});
