import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const user = { id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace" };

test("the confirm page uses the link only on click, then opens onboarding", async () => {
  const api = stubApi({ ...signedIn([]), "POST /api/auth/verify": { success: true, user, choosePassword: false } });
  const app = renderApp("/auth/confirm?token_hash=abc&type=signup");
  await screen.findByRole("heading", { name: /Confirm your email address/ });
  expect(api.requests).toEqual([]);
  await app.user.click(screen.getByRole("button", { name: "Confirm and continue" }));
  await waitFor(() => expect(app.address()).toBe("/onboarding"));
  expect(api.to("POST /api/auth/verify")[0]?.body).toEqual({ token_hash: "abc", type: "signup" });
});

test("the confirm page asks for the second link of an email change", async () => {
  stubApi({ "POST /api/auth/verify": { success: true, user: null, choosePassword: false } });
  const app = renderApp("/auth/confirm?token_hash=abc&type=email_change");
  await app.user.click(await screen.findByRole("button", { name: "Confirm" }));
  await screen.findByRole("heading", { name: "One more link" });
  await screen.findByText(/open the link we sent to your other address/);
  expect(screen.getByRole("link", { name: "Continue" }).getAttribute("href")).toBe("/workspaces");
});

test("the confirm page shows that a link was used and links to sign-in", async () => {
  stubApi({ "POST /api/auth/verify": refusal("link_invalid") });
  const { user } = renderApp("/auth/confirm?token_hash=abc&type=signup");
  await user.click(await screen.findByRole("button", { name: "Confirm and continue" }));
  await screen.findByText(/This link is invalid or has already been used\./);
  expect(screen.getByRole("link", { name: "Go to Sign In" }).getAttribute("href")).toBe("/auth?type=signin");
});

test.each([
  "/auth/confirm",
  "/auth/confirm?token_hash=abc",
  "/auth/confirm?token_hash=abc&type=nonsense",
  "/auth/confirm?token_hash=&type=signup",
])("the confirm page rejects %s", async (address) => {
  const api = stubApi({});
  renderApp(address);
  await screen.findByRole("heading", { name: "This link doesn't work" });
  expect(api.requests).toEqual([]);
});

test("the confirm page lets the user retry without a response", async () => {
  stubApi({ "POST /api/auth/verify": () => Promise.reject(new TypeError("offline")) });
  const { user } = renderApp("/auth/confirm?token_hash=abc&type=signup");
  await user.click(await screen.findByRole("button", { name: "Confirm and continue" }));
  await screen.findByRole("alert");
  expect(screen.getByRole("button", { name: "Confirm and continue" }).getAttribute("aria-disabled")).toBeNull();
});
