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

test.each(["kind=password_changed", "kind=other&token=abc"])("an incomplete link (%s) calls nothing", async (query) => {
  const api = stubApi({});
  renderApp(`/auth/undo-change?${query}`);
  await screen.findByRole("heading", { name: "This link doesn't work" });
  expect(api.requests).toEqual([]);
});

test("a used link says so", async () => {
  stubApi({ "POST /api/auth/undo-change": refusal("link_invalid") });
  const { user } = renderApp("/auth/undo-change?kind=password_changed&token=abc");
  await user.click(await screen.findByRole("button", { name: "Undo change" }));
  await screen.findByRole("heading", { name: "This link doesn't work" });
});
