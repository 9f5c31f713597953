import { fireEvent, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useKeySequences } from "./use-key-sequences.ts";

function listening(isEditorPage = false) {
  const done: string[] = [];
  const sequences = { c: () => void done.push("new"), "g d": () => void done.push("dashboard"), "g c": () => void done.push("changelog") };
  const { rerender } = renderHook(({ on, isEditorPage }) => useKeySequences(on ? sequences : null, isEditorPage), {
    initialProps: { on: true, isEditorPage },
  });
  const press = (key: string, options: KeyboardEventInit = {}, at: Element = document.body) => fireEvent.keyDown(at, { key, ...options });
  return { done, press, rerender };
}

test("a key, and two one after the other; the second one alone means itself", () => {
  const { done, press } = listening();
  press("c");
  for (const key of ["g", "d", "g", "c", "g", "x", "d"]) press(key);
  expect(done).toEqual(["new", "dashboard", "changelog"]);
});

test("not with Ctrl, while writing, in a menu, under a dialog, nor when they are off", () => {
  const { done, press, rerender } = listening();
  press("c", { ctrlKey: true });
  document.body.innerHTML = `<input><textarea></textarea><select></select><div role="menu"><button></button></div>`;
  for (const element of document.querySelectorAll("input, textarea, select, button")) press("c", {}, element);
  document.body.innerHTML = `<div role="dialog" aria-modal="true"></div>`;
  press("c");
  document.body.innerHTML = "";
  rerender({ on: false, isEditorPage: false });
  press("c");
  expect(done).toEqual([]);
});

test("on an editor page keys act only while the list of posts has the focus", () => {
  const { done, press } = listening(true);
  document.body.innerHTML = `<section data-post-list><a href="#">A post</a></section><button>Save</button>`;
  for (const element of [document.body, document.querySelector("button")!]) press("c", {}, element);
  expect(done).toEqual([]);
  press("c", {}, document.querySelector("a")!);
  expect(done).toEqual(["new"]);
});

test("two keys belong together for a second and a half", () => {
  vi.useFakeTimers();
  const { done, press } = listening();
  press("g");
  vi.advanceTimersByTime(2_000);
  press("d");
  expect(done).toEqual([]);
  vi.useRealTimers();
});
