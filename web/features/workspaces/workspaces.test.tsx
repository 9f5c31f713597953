import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { acme, globex, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

test("cards show name and subdomain and open the dashboard", async () => {
  stubApi({ ...signedIn([acme, globex]), "GET /api/dashboard/*/all": refusal("unavailable") });
  const { user, address } = renderApp("/workspaces");
  const cards = await screen.findAllByRole("listitem");
  expect(cards.map((card) => card.textContent)).toEqual(["AAcmeacme", "GGlobexglobex"]);
  expect(screen.getByRole("link", { name: "New Workspace" }).getAttribute("href")).toBe("/onboarding");
  await user.click(screen.getByRole("link", { name: /Globex/ }));
  await waitFor(() => expect(address()).toBe(`/workspace/${ids.globex}/dashboard`));
});
