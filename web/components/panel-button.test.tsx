import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, onTestFinished, test, vi } from "vitest";
import { PanelButton } from "./panel-button.tsx";

test.each([
  [286, 318, "466px"], // below
  [500, 532, "484px"], // above
])("the panel of a button from %i to %i is at most as high as the larger room beside it", async (top, bottom, room) => {
  vi.spyOn(document.documentElement, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLButtonElement.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, top, 100, bottom - top));
  onTestFinished(() => void vi.restoreAllMocks());
  render(
    <PanelButton label="Tags" icon="tag" text="Add tags">
      {() => <p>Much</p>}
    </PanelButton>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Add tags" }));
  const content = await screen.findByText("Much");
  expect(content.closest<HTMLElement>(".p-overlaypanel")?.style.getPropertyValue("--panel-room")).toBe(room);
  expect(content.parentElement?.className).toMatch(/p-overlaypanel-content.*content/);
});
