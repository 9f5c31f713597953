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

test("useKeySequences runs single keys and two-key sequences", () => {
  const { done, press } = listening();
  press("c");
  for (const key of ["g", "d", "g", "c", "g", "x", "d"]) press(key);
  expect(done).toEqual(["new", "dashboard", "changelog"]);
});

test("useKeySequences ignores keys with Ctrl, in fields, menus and dialogs, and when switched off", () => {
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

test("useKeySequences on an editor page acts only with focus in the post list", () => {
  const { done, press } = listening(true);
  document.body.innerHTML = `<section data-post-list><a href="#">A post</a></section><button>Save</button>`;
  for (const element of [document.body, document.querySelector("button")!]) press("c", {}, element);
  expect(done).toEqual([]);
  press("c", {}, document.querySelector("a")!);
  expect(done).toEqual(["new"]);
});

test("useKeySequences drops a sequence after 1.5 seconds", () => {
  vi.useFakeTimers();
  const { done, press } = listening();
  press("g");
  vi.advanceTimersByTime(2_000);
  press("d");
  expect(done).toEqual([]);
  vi.useRealTimers();
});
