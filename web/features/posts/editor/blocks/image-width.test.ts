import { expect, test, vi } from "vitest";
import { widthHandle } from "./image-width.ts";

function standing() {
  const onChange = vi.fn();
  const block = document.body.appendChild(document.createElement("div"));
  vi.spyOn(block, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 1_000, 500));
  const handle = widthHandle(80, onChange);
  handle.stand(block, block, false);
  const slider = block.querySelector<HTMLElement>("[role=slider]")!;
  slider.setPointerCapture = () => {};
  const point = (type: string, clientX = 0) => slider.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0, clientX }));
  return { handle, slider, onChange, point };
}

test("a width that is still being dragged is shown, and is not yet the picture's", () => {
  const { handle, slider, onChange, point } = standing();
  point("pointerdown");
  point("pointermove", 800);
  expect([slider.ariaValueText, handle.value, onChange.mock.calls.length]).toEqual(["60 %", 80, 0]);
  point("pointermove", 980);
  point("pointerup");
  expect([slider.ariaValueText, handle.value, onChange.mock.calls.length]).toEqual(["The whole column", 100, 1]);
});

test("one whose drag is broken off is as it was", () => {
  const { handle, slider, onChange, point } = standing();
  point("pointerdown");
  point("pointermove", 800);
  point("pointercancel");
  expect([slider.ariaValueText, handle.value, onChange.mock.calls.length]).toEqual(["80 %", 80, 0]);
});
