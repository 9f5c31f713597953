import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { stubApi } from "../../tests/support/web/stub-api.ts";

test.each(["?error=access_denied&error_description=The+user+said+no", "?error=server_error&code=abc", "?code="])(
  "the callback page with '%s' calls nothing and shows an error",
  async (query) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const api = stubApi({});
    renderApp(`/auth/callback${query}`);
    expect((await screen.findByRole("alert")).textContent).toBe("Sign-in was cancelled or failed. Try again.");
    expect(api.to("POST /api/auth/callback")).toEqual([]);
    await waitFor(() => expect(logged).toHaveBeenCalled());
    expect(screen.getByRole("link", { name: "Go to Sign In" })).toBeTruthy();
  },
);

test("the callback page without a query, as after signing out at a provider, opens the sign-in page", async () => {
  stubApi({});
  const { address } = renderApp("/auth/callback");
  await waitFor(() => expect(address()).toBe("/auth"));
});

test("an error at the root, as of a refused SAML response, opens the callback page", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  stubApi({});
  renderApp("/?error=invalid_request&error_description=SAML+Assertion+is+not+valid");
  expect((await screen.findByRole("alert")).textContent).toBe("Sign-in was cancelled or failed. Try again.");
});
