import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { PopupMenu } from "./popup-menu.tsx";

const phone = { width: 390, height: 800 };

/** jsdom has no layout: the button stands where it is said, and the menu is 320 px wide. */
async function openAt(button: { left: number; top: number }) {
  vi.spyOn(document.documentElement, "clientWidth", "get").mockReturnValue(phone.width);
  vi.spyOn(document.documentElement, "clientHeight", "get").mockReturnValue(phone.height);
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    if (this.role !== "menu") return new DOMRect(button.left, button.top, 80, 32);
    const { left, right } = this.style;
    return new DOMRect(left ? parseFloat(left) : phone.width - parseFloat(right) - 320, 0, 320, 900);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  render(
    <PopupMenu label="Tag" choices={[{ label: "Fix", onChoose: () => {} }]}>
      Tag
    </PopupMenu>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Tag" }));
  return screen.getByRole("menu", { name: "Tag" });
}

test("a menu under its button ends before the window does, also at the side", async () => {
  const { style } = await openAt({ left: 100, top: 68 });
  expect([style.top, style.maxHeight, style.left]).toEqual(["104px", "688px", "62px"]);
});

test("one above its button likewise", async () => {
  const { style } = await openAt({ left: 170, top: 600 });
  expect([style.bottom, style.maxHeight, style.right]).toEqual(["204px", "588px", "62px"]);
});
