import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const address = "/auth/undo-email-change?token=abc";

test("opening the link changes nothing; its button undoes the change and leads to a new password", async () => {
  const api = stubApi({ "POST /api/auth/undo-email-change": { success: true, email: "ada@acme.example" } });
  const { user } = renderApp(address);
  const button = await screen.findByRole("button", { name: "Undo the change" });
  expect(api.requests).toEqual([]);
  await user.click(button);
  await screen.findByText(/You sign in with ada@acme\.example again/);
  expect(api.to("POST /api/auth/undo-email-change")[0]?.body).toEqual({ token: "abc" });
  expect(screen.getByRole("link", { name: "Choose a new password" }).getAttribute("href")).toBe("/forgot-password");
});

test("a link that was used, or has no token, says so", async () => {
  stubApi({ "POST /api/auth/undo-email-change": refusal("link_invalid") });
  const { user } = renderApp(address);
  await user.click(await screen.findByRole("button", { name: "Undo the change" }));
  await screen.findByRole("heading", { name: "This link does not work" });
});

test("a link without a token asks nothing", async () => {
  const api = stubApi({});
  renderApp("/auth/undo-email-change");
  await screen.findByRole("heading", { name: "This link does not work" });
  expect(api.requests).toEqual([]);
});
