import { describe, expect, test } from "vitest";
import { type Stroke, strokeOf, withStroke, wordsOf } from "./strokes.ts";

const key = (name: string, init: KeyboardEventInit = {}) => strokeOf(new KeyboardEvent("keydown", { key: name, ...init }));
const text = (words: string): Stroke => ({ kind: "text", text: words });

describe("strokeOf", () => {
  test("returns a stroke for keys that insert or delete", () => {
    expect([key("a"), key(" "), key("漢"), key("/")]).toEqual([text("a"), text(" "), text("漢"), text("/")]);
    for (const name of ["Enter", "Backspace", "Delete"]) expect(key(name)).toMatchObject({ kind: "key", init: { key: name } });
    expect(key("Backspace", { ctrlKey: true })).toMatchObject({ kind: "key", init: { ctrlKey: true } });
    expect(key("€", { ctrlKey: true, altKey: true, modifierAltGraph: true })).toEqual(text("€"));
  });

  test("returns null for other keys", () => {
    for (const name of ["ArrowLeft", "Home", "Shift", "Escape", "Tab", "F5", "Process", "Dead"]) expect(key(name)).toBeNull();
    for (const name of ["s", "c", "Enter", "k", "z"]) expect(key(name, { ctrlKey: true })).toBeNull();
  });
});

describe("withStroke", () => {
  const typed = (...strokes: Stroke[]) => strokes.reduce<readonly Stroke[]>(withStroke, []);
  const back: Stroke = { kind: "key", init: { key: "Backspace" } };
  const enter: Stroke = { kind: "key", init: { key: "Enter" } };

  test("merges letters into one text", () => {
    expect(typed(text("a"), text("b"), text("c"))).toEqual([text("abc")]);
    expect(wordsOf(typed(text("a"), enter, text("b")))).toBe("a\nb");
  });

  test("removes letters and whole emoji on Backspace, then keeps the key", () => {
    expect(typed(text("a"), text("👍"), back)).toEqual([text("a")]);
    expect(typed(text("a"), back)).toEqual([]);
    expect(typed(back)).toEqual([back]);
    expect(typed(text("ab"), { kind: "key", init: { key: "Backspace", ctrlKey: true } })).toHaveLength(2);
  });
});
