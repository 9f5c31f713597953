import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { earlyKeys, takeEarlyKeys, bufferEarlyKeys } from "./early-keys.ts";

const press = (key: string, init: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented ? "kept" : "let through";
};
const type = (text: string) => [...text].map((key) => press(key));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  takeEarlyKeys();
  document.body.replaceChildren();
  vi.useRealTimers();
});

test("early keys are buffered for the field and reach nothing else", () => {
  bufferEarlyKeys();
  expect(new Set(type("fasterr"))).toEqual(new Set(["kept"]));
  press("Backspace");
  expect(earlyKeys()).toEqual({ text: "faster", entered: false });
  press("Enter");
  press("x");
  expect(takeEarlyKeys()).toEqual({ text: "faster", entered: true });
  expect([press("y"), takeEarlyKeys()]).toEqual(["let through", { text: "", entered: false }]);
});

test("early keys leave shortcuts, arrows and input methods alone", () => {
  bufferEarlyKeys();
  expect([press("s", { ctrlKey: true }), press("ArrowDown"), press("a", { isComposing: true })]).toEqual(Array(3).fill("let through"));
  expect(earlyKeys().text).toBe("");
});

test("early keys end on a focus change, Escape, Tab or the timeout", () => {
  const field = document.body.appendChild(document.createElement("input"));
  bufferEarlyKeys();
  type("a");
  field.focus();
  expect([press("b"), earlyKeys().text]).toEqual(["let through", ""]);
  bufferEarlyKeys();
  expect([press("Escape"), press("b")]).toEqual(["let through", "let through"]);
  bufferEarlyKeys();
  vi.advanceTimersByTime(10_000);
  expect(press("b")).toBe("let through");
});

test("early keys restart with a new timeout", () => {
  bufferEarlyKeys();
  type("a");
  vi.advanceTimersByTime(6_000);
  bufferEarlyKeys();
  type("b");
  vi.advanceTimersByTime(6_000);
  type("c");
  expect(takeEarlyKeys().text).toBe("bc");
});
