import { act, render, screen, waitFor } from "@testing-library/react";
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

test("messages that could not be shown do not keep later ones away", async () => {
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
