import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { earlyKeys, endEarlyKeys, keepEarlyKeys } from "./early-keys.ts";

const press = (key: string, init: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented ? "kept" : "let through";
};
const type = (text: string) => [...text].map((key) => press(key));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  endEarlyKeys();
  document.body.replaceChildren();
  vi.useRealTimers();
});

test("what is typed before the field is there is for the field, and for nothing else", () => {
  keepEarlyKeys();
  expect(new Set(type("fasterr"))).toEqual(new Set(["kept"]));
  press("Backspace");
  expect(earlyKeys()).toEqual({ text: "faster", entered: false });
  press("Enter");
  press("x");
  expect(endEarlyKeys()).toEqual({ text: "faster", entered: true });
  expect([press("y"), endEarlyKeys()]).toEqual(["let through", { text: "", entered: false }]);
});

test("shortcuts, arrows and what an input method writes are not touched", () => {
  keepEarlyKeys();
  expect([press("s", { ctrlKey: true }), press("ArrowDown"), press("a", { isComposing: true })]).toEqual(Array(3).fill("let through"));
  expect(earlyKeys().text).toBe("");
});

test("whoever goes elsewhere, leaves or waits too long types there again", () => {
  const field = document.body.appendChild(document.createElement("input"));
  keepEarlyKeys();
  type("a");
  field.focus();
  expect([press("b"), earlyKeys().text]).toEqual(["let through", ""]);
  keepEarlyKeys();
  expect([press("Escape"), press("b")]).toEqual(["let through", "let through"]);
  keepEarlyKeys();
  vi.advanceTimersByTime(10_000);
  expect(press("b")).toBe("let through");
});

test("asked for once more, it begins anew, and the first patience does not end the second", () => {
  keepEarlyKeys();
  type("a");
  vi.advanceTimersByTime(6_000);
  keepEarlyKeys();
  type("b");
  vi.advanceTimersByTime(6_000);
  type("c");
  expect(endEarlyKeys().text).toBe("bc");
});
