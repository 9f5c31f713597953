import { expect, test, vi } from "vitest";
import { widthHandle } from "./image-width.ts";

function mountHandle() {
  const onChange = vi.fn();
  const block = document.body.appendChild(document.createElement("div"));
  vi.spyOn(block, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 1_000, 500));
  const handle = widthHandle(80, onChange);
  handle.mount(block, block, false);
  const slider = block.querySelector<HTMLElement>("[role=slider]")!;
  slider.setPointerCapture = () => {};
  const point = (type: string, clientX = 0) => slider.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0, clientX }));
  return { handle, slider, onChange, point };
}

test("dragging shows the width and applies it on release", () => {
  const { handle, slider, onChange, point } = mountHandle();
  point("pointerdown");
  point("pointermove", 800);
  expect([slider.ariaValueText, handle.value, onChange.mock.calls.length]).toEqual(["60%", 80, 0]);
  point("pointermove", 980);
  point("pointerup");
  expect([slider.ariaValueText, handle.value, onChange.mock.calls.length]).toEqual(["Full width", 100, 1]);
});

test("a cancelled drag restores the width", () => {
  const { handle, slider, onChange, point } = mountHandle();
  point("pointerdown");
  point("pointermove", 800);
  point("pointercancel");
  expect([slider.ariaValueText, handle.value, onChange.mock.calls.length]).toEqual(["80%", 80, 0]);
});
