import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { data } from "../../../tests/support/widget/host-page.ts";
import { WidgetFrame } from "./widget-frame.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("a look that changes while the frame has no document of its own yet harms nothing", () => {
  vi.spyOn(HTMLIFrameElement.prototype, "contentDocument", "get").mockReturnValue(document.implementation.createDocument(null, null));
  const { rerender } = render(<WidgetFrame data={data()} side="light" style={{}} />);
  rerender(<WidgetFrame data={data()} side="dark" style={{}} />);
  expect(screen.getByTitle("Preview of the widget")).toBeTruthy();
});
