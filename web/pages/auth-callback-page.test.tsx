import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { stubApi } from "../../tests/support/web/stub-api.ts";

test.each(["?error=access_denied&error_description=The+user+said+no", "?error=server_error&code=abc", "?code=", ""])(
  "coming back from a provider with '%s' asks nothing and says so",
  async (query) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const api = stubApi({});
    renderApp(`/auth/callback${query}`);
    expect((await screen.findByRole("alert")).textContent).toBe("Signing in was cancelled or did not work. Try again.");
    expect(api.to("POST /api/auth/callback")).toEqual([]);
    await waitFor(() => expect(logged).toHaveBeenCalled()); // by an effect, after the sentence is drawn
    expect(screen.getByRole("link", { name: "Go to Sign In" })).toBeTruthy();
  },
);
