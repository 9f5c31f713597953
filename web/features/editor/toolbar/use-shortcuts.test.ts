import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useShortcuts, type Shortcuts } from "./use-shortcuts.ts";

function press(init: KeyboardEventInit) {
  const done: string[] = [];
  const names = ["onSave", "onPublish", "onSearch", "onFocus", "onNeighbour"] as const;
  const { unmount } = renderHook(() =>
    useShortcuts(Object.fromEntries(names.map((name) => [name, () => void done.push(name)])) as Shortcuts),
  );
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  document.body.dispatchEvent(event);
  unmount();
  expect(event.defaultPrevented).toBe(done.length > 0);
  return done;
}

test.each<[string, KeyboardEventInit, string[]]>([
  ["Ctrl+S", { key: "s", code: "KeyS", ctrlKey: true }, ["onSave"]],
  ["Cmd+S", { key: "s", code: "KeyS", metaKey: true }, ["onSave"]],
  ["Ctrl+S with Caps Lock", { key: "S", code: "KeyS", ctrlKey: true }, ["onSave"]],
  ["Ctrl+S on a Russian layout", { key: "ы", code: "KeyS", ctrlKey: true }, ["onSave"]],
  ["Ctrl+K on a Greek layout", { key: "κ", code: "KeyK", ctrlKey: true }, ["onSearch"]],
  ["Ctrl+S on Dvorak", { key: "s", code: "Semicolon", ctrlKey: true }, ["onSave"]],
  ["Ctrl+O on Dvorak at the key of S", { key: "o", code: "KeyS", ctrlKey: true }, []],
  ["Ctrl+Shift+S", { key: "S", code: "KeyS", ctrlKey: true, shiftKey: true }, []],
  ["Ctrl+Enter", { key: "Enter", code: "Enter", ctrlKey: true }, ["onPublish"]],
  ["Ctrl+\\", { key: "\\", code: "Backslash", ctrlKey: true }, ["onFocus"]],
  ["Cmd+\\ on a German layout", { key: "#", code: "Backslash", metaKey: true }, ["onFocus"]],
  ["s", { key: "s", code: "KeyS" }, []],
  ["Alt+Page Down", { key: "PageDown", code: "PageDown", altKey: true }, ["onNeighbour"]],
  ["Alt+Page Up", { key: "PageUp", code: "PageUp", altKey: true }, ["onNeighbour"]],
  ["Alt+Page Down, held", { key: "PageDown", code: "PageDown", altKey: true, repeat: true }, []],
  ["Page Down", { key: "PageDown", code: "PageDown" }, []],
  ["Ctrl+Alt+Page Down", { key: "PageDown", code: "PageDown", altKey: true, ctrlKey: true }, []],
])("useShortcuts handles %s", (_, init, expected) => expect(press(init)).toEqual(expected));
