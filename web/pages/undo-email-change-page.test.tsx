import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const address = "/auth/undo-email-change?token=abc";

test("the undo page undoes the change only on click, then offers a new password", async () => {
  const api = stubApi({ "POST /api/auth/undo-email-change": { success: true, email: "ada@acme.example" } });
  const { user } = renderApp(address);
  const button = await screen.findByRole("button", { name: "Undo change" });
  expect(api.requests).toEqual([]);
  await user.click(button);
  await screen.findByText(/You sign in with ada@acme\.example again/);
  expect(api.to("POST /api/auth/undo-email-change")[0]?.body).toEqual({ token: "abc" });
  expect(screen.getByRole("link", { name: "Choose a new password" }).getAttribute("href")).toBe("/forgot-password");
});

test("the undo page rejects a used link", async () => {
  stubApi({ "POST /api/auth/undo-email-change": refusal("link_invalid") });
  const { user } = renderApp(address);
  await user.click(await screen.findByRole("button", { name: "Undo change" }));
  await screen.findByRole("heading", { name: "This link doesn't work" });
});

test("the undo page calls nothing without a token", async () => {
  const api = stubApi({});
  renderApp("/auth/undo-email-change");
  await screen.findByRole("heading", { name: "This link doesn't work" });
  expect(api.requests).toEqual([]);
});
