import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { config } from "./fixtures.ts";
import { renderApp } from "./render-app.tsx";
import { stubApi } from "./stub-api.ts";

test("Google is offered where the installation has it, and comes back to where one was; GitHub is not displayed", async () => {
  stubApi({ "GET /api/config": { ...config, oauthProviders: ["google", "github"] } });
  renderApp("/auth?returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Da");
  const link = await screen.findByRole("link", { name: "Continue with Google" });
  const target = new URL(link.getAttribute("href") ?? "", location.origin);
  expect(target.pathname).toBe("/api/auth/login/oauth");
  expect(target.searchParams.get("next")).toBe("/auth?returnUrl=%2Fjoin%2Fcomplete%3Ftoken%3Da");
  expect(screen.queryByText(/GitHub/)).toBeNull();
});
