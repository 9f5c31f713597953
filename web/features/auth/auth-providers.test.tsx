import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { goTo } from "../../lib/go-to.ts";
import { config } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

vi.mock("../../lib/go-to.ts", () => ({ goTo: vi.fn() }));
beforeEach(() => void vi.mocked(goTo).mockClear());

const offered = { "GET /api/config": { ...config, oauthProviders: ["google", "github"] } };
const atProvider = "https://accounts.example/authorize?state=a";

test("the auth page offers Google if configured, returns to the start, and hides GitHub", async () => {
  const api = stubApi({ ...offered, "POST /api/auth/login": { workspaceId: null, user: null, url: atProvider } });
  const app = renderApp("/auth?returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Da&token=a");
  await app.user.click(await screen.findByRole("button", { name: "Continue with Google" }));
  await waitFor(() => expect(goTo).toHaveBeenCalledWith(atProvider));
  expect(api.to("POST /api/auth/login")[0]?.body).toEqual({
    provider: "google",
    next: "/auth?returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Da&token=a",
  });
  expect(screen.queryByText(/GitHub/i)).toBeNull();
});
