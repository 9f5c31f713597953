import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

test.each([
  ["password_changed", "Undo change", false, "Choose a new password"],
  ["factor_added", "Undo change", false, "Choose a new password"],
  ["factor_removed", "Undo change", false, "Choose a new password"],
  ["factor_reset", "Keep my apps", false, "Go to Sign In"],
  ["factor_reset", "Remove them now", true, "Go to Sign In"],
])("the link of %s acts only on click: %s", async (kind, verb, confirm, next) => {
  const api = stubApi({ "POST /api/auth/undo-change": { success: true } });
  const { user } = renderApp(`/auth/undo-change?kind=${kind}&token=abc`);
  const button = await screen.findByRole("button", { name: verb });
  expect(api.requests).toEqual([]);
  await user.click(button);
  await screen.findByRole("link", { name: next });
  expect(api.to("POST /api/auth/undo-change")[0]?.body).toEqual({ token: "abc", confirm });
});

test("the link of a changed address undoes it only on click, then offers a new password", async () => {
  const api = stubApi({ "POST /api/auth/undo-email-change": { success: true, email: "ada@acme.example" } });
  const { user } = renderApp("/auth/undo-email-change?token=abc");
  const button = await screen.findByRole("button", { name: "Undo change" });
  expect(api.requests).toEqual([]);
  await user.click(button);
  await screen.findByText(/You sign in with ada@acme\.example again/);
  expect(api.to("POST /api/auth/undo-email-change")[0]?.body).toMatchObject({ token: "abc" });
  expect(screen.getByRole("link", { name: "Choose a new password" }).getAttribute("href")).toBe("/forgot-password");
});

test.each([
  ["undo-change?kind=password_changed", "24 hours"],
  ["undo-change?kind=other&token=abc", "24 hours"],
  ["undo-email-change", "7 days"],
])("an incomplete link (%s) calls nothing", async (address, lifetime) => {
  const api = stubApi({});
  renderApp(`/auth/${address}`);
  await screen.findByRole("heading", { name: "This link doesn't work" });
  await screen.findByText(new RegExp(`expires after ${lifetime}`));
  expect(api.requests).toEqual([]);
});

test("a used link says so", async () => {
  stubApi({ "POST /api/auth/undo-change": refusal("link_invalid") });
  const { user } = renderApp("/auth/undo-change?kind=password_changed&token=abc");
  await user.click(await screen.findByRole("button", { name: "Undo change" }));
  await screen.findByRole("heading", { name: "This link doesn't work" });
});
