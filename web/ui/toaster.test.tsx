import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Providers } from "../app/providers.tsx";
import { toasts } from "../lib/toasts.ts";
import { stubApi } from "../../tests/support/web/stub-api.ts";

const line = vi.hoisted(() => ({ broken: true, tries: 0 }));
vi.mock("./toaster.tsx", async (original) => {
  const real = await original<typeof import("./toaster.tsx")>();
  return {
    get default() {
      line.tries++;
      if (line.broken) throw new Error("The part cannot be loaded");
      return real.default;
    },
  };
});

test("toasts show after an earlier toast failed to load", async () => {
  stubApi({});
  render(<Providers>The page</Providers>);
  act(() => toasts.error("You are offline"));
  await waitFor(() => expect(line.tries).toBeGreaterThan(0));
  expect(screen.getByText("The page")).toBeTruthy();
  line.broken = false;
  act(() => toasts.success("Saved"));
  await screen.findByText("Saved");
  expect(screen.queryByText("You are offline")).toBeNull();
});

test("a toast's button returns focus to the page, not to another toast", async () => {
  stubApi({});
  line.broken = false;
  const undo = vi.fn();
  render(
    <Providers>
      <main>
        <button>Archive</button>
      </main>
    </Providers>,
  );
  const button = screen.getByRole("button", { name: "Archive" });
  act(() => toasts.success("Post restored"));
  act(() => toasts.success("Post archived", "", { label: "Undo", onClick: undo }));
  const press = async () => {
    const action = await screen.findByRole("button", { name: "Undo" });
    action.focus();
    fireEvent.click(action);
  };
  button.focus();
  await press();
  expect(undo).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(button);

  act(() => toasts.success("Post archived", "", { label: "Undo", onClick: undo }));
  await screen.findByRole("button", { name: "Undo" });
  button.blur();
  await press();
  expect(document.activeElement).toBe(screen.getByRole("main"));
});
