import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setTheme, storedTheme } from "./theme.ts";
import { signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const areas = ["localStorage", "sessionStorage"] as const;
const open = new Map<string, PropertyDescriptor>();

/** As in a browser that blocks cookies: accessing the object throws. */
beforeEach(() => {
  for (const area of areas) {
    open.set(area, Object.getOwnPropertyDescriptor(globalThis, area)!);
    const get = () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    };
    Object.defineProperty(globalThis, area, { configurable: true, get });
  }
});
afterEach(() => {
  for (const [area, descriptor] of open) Object.defineProperty(globalThis, area, descriptor);
});

test("blocked storage falls back to the system theme, and a chosen theme lasts for the page", () => {
  expect(storedTheme()).toBe("system");
  setTheme("dark");
  expect(document.documentElement.dataset.theme).toBe("dark");
  setTheme("system");
});

test.each([
  ["/auth", "Sign in to your account"],
  ["/workspaces", "Your Workspaces"],
  ["/onboarding", "Tell us about your company"],
])("blocked storage still opens %s", async (address, heading) => {
  stubApi(signedIn());
  renderApp(address);
  await screen.findByRole("heading", { name: heading });
});

test("blocked storage still lets an invitation start", async () => {
  stubApi({
    "GET /api/profiles/me": () => refusal("unauthenticated"),
    "GET /api/team/invites/*": {
      ...{ workspace_name: "Globex", invited_role: "editor", invited_by: null },
      workspace_id: "33333333-3333-4333-8333-333333333333",
    },
  });
  const { user, address } = renderApp("/join?token=secret");
  await user.click(await screen.findByRole("link", { name: "Create a new account" }));
  await screen.findByRole("heading", { name: "Sign Up" });
  expect(address()).toContain("token=secret");
});
