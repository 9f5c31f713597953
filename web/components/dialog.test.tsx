import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { matchingMedia } from "../../tests/support/web/setup.ts";
import { Dialog } from "./dialog.tsx";

/** Opens and closes a dialog; animations last until they are ended. */
function closeDialog() {
  const running: Animation[] = [];
  const animate = vi.spyOn(HTMLDivElement.prototype, "animate").mockImplementation(() => running[running.push({} as Animation) - 1]!);
  const { unmount } = render(
    <Dialog open title="Archive this post?" onClose={() => undefined}>
      <p>It leaves every list.</p>
    </Dialog>,
  );
  unmount();
  return { animate, end: () => running.forEach((animation) => animation.onfinish?.({} as AnimationPlaybackEvent)) };
}

test("a closed dialog fades for 100 ms as a copy that takes neither focus nor keys", () => {
  const { animate, end } = closeDialog();
  const copy = screen.getByText("It leaves every list.").closest<HTMLElement>(".p-dialog-mask")!;
  expect([copy.inert, copy.ariaHidden, copy.querySelectorAll("[id]").length]).toEqual([true, "true", 0]);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(animate.mock.lastCall?.[1]).toMatchObject({ duration: 100 });
  end();
  expect(document.body.textContent).not.toContain("It leaves every list.");
});

test("with reduced motion a dialog is gone at once", () => {
  matchingMedia.add("(prefers-reduced-motion: reduce)");
  const { animate } = closeDialog();
  expect(animate).not.toHaveBeenCalled();
  expect(document.body.textContent).not.toContain("It leaves every list.");
});
