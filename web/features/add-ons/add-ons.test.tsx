import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

test("an upgrade of a hosted installation is recorded as a request", async () => {
  stubApi({
    ...signedIn([acme]),
    "GET /api/workspaces/*/add-ons": { add_ons: [], requested: [], included: false },
    "POST /api/workspaces/*/add-ons": { success: true, granted: false, active: [], recorded: ["analytics"] },
  });
  const { user } = renderApp(`/upgrade?workspace=${ids.acme}&add-ons=analytics,nonsense`);
  await screen.findByText("Price on request");
  await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
  await screen.findByRole("heading", { name: "Your request has been recorded" });
  expect(screen.getByText("We'll get in touch about Analytics for Acme.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to the dashboard" })).toBeTruthy();
});
