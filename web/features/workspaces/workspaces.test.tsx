import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { acme, globex, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

test("/ leads to the list", async () => {
  stubApi(signedIn());
  const { address } = renderApp("/");
  await screen.findByRole("heading", { name: "Your Workspaces" });
  expect(address()).toBe("/workspaces");
  await waitFor(() => expect(document.title).toBe("Your Workspaces · Tidings"));
});

test("while loading it says so", async () => {
  const answer = pending<object>();
  stubApi({ ...signedIn(), "GET /api/workspaces": () => answer.promise });
  renderApp("/workspaces");
  await screen.findByText("Loading workspaces...");
  screen.getByRole("link", { name: "New Workspace" });
  answer.resolve({ workspaces: [acme] });
  await screen.findByRole("link", { name: /Acme/ });
});

test("cards show name and subdomain and open the dashboard", async () => {
  stubApi({ ...signedIn([acme, globex]), "GET /api/dashboard/*/all": refusal("unavailable") });
  const { user, address } = renderApp("/workspaces");
  const cards = await screen.findAllByRole("listitem");
  expect(cards.map((card) => card.textContent)).toEqual(["AAcmeacme", "GGlobexglobex"]);
  expect(screen.getByRole("link", { name: "New Workspace" }).getAttribute("href")).toBe("/onboarding");
  await user.click(screen.getByRole("link", { name: /Globex/ }));
  await waitFor(() => expect(address()).toBe(`/workspace/${ids.globex}/dashboard`));
});

test("with none there is one thing to do", async () => {
  stubApi(signedIn([]));
  renderApp("/workspaces");
  await screen.findByRole("heading", { name: "No workspaces yet" });
  expect(screen.getByText("Get started by creating your first workspace")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Create Workspace" }).getAttribute("href")).toBe("/onboarding");
  expect(screen.getByRole("link", { name: "New Workspace" }).getAttribute("href")).toBe("/onboarding");
});

test("a failure says so and can be tried again", async () => {
  const api = stubApi({ ...signedIn(), "GET /api/workspaces": refusal("forbidden") });
  const { user } = renderApp("/workspaces");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("ErrorFailed to load workspaces. Please try again.");
  api.set({ "GET /api/workspaces": { workspaces: [acme] } });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("link", { name: /Acme/ });
});
