import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { presenceTypingMs } from "#contract/presence.ts";
import type { Doing } from "./use-presence.ts";
import { followCaret } from "./follow-caret.ts";
import { markBlocks, unmarkBlocks } from "./mark-blocks.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

function page() {
  document.body.innerHTML = `<button>Outside</button><div id="area"><input id="title" data-writing-field>
    <button id="tags">Add tag</button><input id="summary">
    <div class="codex-editor">
      <div class="ce-block" data-id="b1"><textarea></textarea></div>
      <div class="ce-block" data-id="b2"><textarea></textarea></div>
    </div></div>`;
  const one = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector)!;
  return {
    area: one("#area"),
    title: one("#title"),
    tags: one("#tags"),
    summary: one("#summary"),
    outside: one("button"),
    text: (id: string) => one(`[data-id=${id}] textarea`),
  };
}

test("followCaret reports focus and typing until the user pauses or leaves", () => {
  const { area, title, outside, text } = page();
  const reports: Doing[] = [];
  const stop = followCaret(area, (doing) => reports.push(doing));
  const last = () => [reports.at(-1)?.isEditing, reports.at(-1)?.blockId, reports.at(-1)?.isTyping];
  expect(reports).toEqual([]);
  title.focus();
  expect(last()).toEqual([true, null, false]);
  title.dispatchEvent(new Event("input", { bubbles: true }));
  expect(last()).toEqual([true, null, false]);
  text("b1").focus();
  expect(last()).toEqual([true, "b1", false]);
  text("b1").dispatchEvent(new Event("input", { bubbles: true }));
  expect(last()).toEqual([true, "b1", true]);
  vi.advanceTimersByTime(presenceTypingMs - 1);
  text("b1").dispatchEvent(new Event("input", { bubbles: true }));
  vi.advanceTimersByTime(presenceTypingMs - 1);
  expect(last()).toEqual([true, "b1", true]);
  vi.advanceTimersByTime(1);
  expect(last()).toEqual([true, "b1", false]);
  text("b1").dispatchEvent(new Event("input", { bubbles: true }));
  text("b2").focus();
  expect(last()).toEqual([true, "b2", false]);
  outside.focus();
  expect(last()).toEqual([false, null, false]);
  vi.advanceTimersByTime(presenceTypingMs);
  expect(last()).toEqual([false, null, false]);
  text("b1").focus();
  stop();
  expect(last()).toEqual([false, null, false]);
});

test("followCaret reports no editing in tags and details", () => {
  const { area, title, tags, summary, text } = page();
  const reports: Doing[] = [];
  const stop = followCaret(area, (doing) => reports.push(doing));
  tags.focus();
  summary.focus();
  summary.dispatchEvent(new Event("input", { bubbles: true }));
  document.dispatchEvent(new Event("selectionchange"));
  expect(reports).toEqual([]);
  const edits = [title, tags, text("b1"), summary, title].map((field) => {
    field.focus();
    return reports.at(-1)?.isEditing;
  });
  expect(edits).toEqual([true, false, true, false, true]);
  stop();
});

test("markBlocks marks a block while someone is in it, also after a re-render", async () => {
  const { area, text } = page();
  const shown = () => [...area.querySelectorAll<HTMLElement>(".ce-block")].map(({ dataset }) => dataset.people);
  const here = new Map([["b2", { label: "Ana", colours: ["#111111", "#222222"] }]]);
  const stop = markBlocks(area, here);
  expect(shown()).toEqual([undefined, "Ana"]);
  const block = text("b2").closest(".ce-block")!;
  const copy = block.cloneNode(true) as HTMLElement;
  delete copy.dataset.people;
  block.replaceWith(copy);
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual([undefined, "Ana"]);
  stop();
  markBlocks(area, new Map([["b1", { label: "Ana", colours: ["#111111"] }]]))();
  expect(shown()).toEqual(["Ana", undefined]);
  unmarkBlocks(area);
  expect(shown()).toEqual([undefined, undefined]);
  expect(area.querySelector<HTMLElement>(".ce-block")!.style.cssText).toBe("");
});
