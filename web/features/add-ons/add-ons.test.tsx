import { screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { askedDays, someNumbers } from "../../../tests/support/web/analytics-numbers.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, stubApi } from "../../../tests/support/web/stub-api.ts";

const analytics = `/workspace/${ids.acme}/analytics`;
const has = (...addOns: string[]) => ({
  add_ons: ["teams", ...addOns].map((add_on) => ({ add_on, granted_at: "2026-01-05T09:00:00+00:00" })),
  ...{ requested: [], included: false },
});
const stubs = {
  ...signedIn([acme]),
  "GET /api/dashboard/*/all": emptyDashboard,
  "GET /api/posts/upcoming": { posts: [] },
  "GET /api/workspaces/*/add-ons": has(),
  "GET /api/workspaces/*/analytics": ({ path }: Asked) => someNumbers(askedDays(path).from, askedDays(path).to),
};

describe("analytics page", () => {
  test("opens with the add-on", async () => {
    stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": has("analytics") });
    renderApp(analytics);
    await screen.findByRole("slider", { name: "Views by day" });
  });
});

test("without the add-on the offer is before a sample report that can't be reached, and is confirmed once", async () => {
  const outcome = { success: true, granted: true, active: ["analytics"], recorded: [] };
  stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": { ...has(), included: true }, "POST /api/workspaces/*/add-ons": outcome });
  const { user } = renderApp(analytics);
  const dialog = within(await screen.findByRole("dialog", { name: "Upgrade your plan" }));
  expect((await screen.findByText("Views by day")).closest("[inert]")).toBeTruthy();
  expect(dialog.getAllByRole("checkbox")).toHaveLength(5);
  expect(dialog.queryByRole("checkbox", { name: "Priority support" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Upgrade now" }));
  const list = within(await screen.findByRole("list", { name: "Selected add-ons" }));
  expect(list.getByRole("listitem").textContent).toMatch(/^Analytics.*Included$/);
  expect(screen.queryByRole("checkbox")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Upgrade now" }));
  await screen.findByRole("heading", { name: "Your upgrade is active" });
});

describe("/upgrade", () => {
  const at = `/upgrade?workspace=${ids.acme}&add-ons=analytics,nonsense`;

  test("a hosted installation records the request", async () => {
    stubApi({ ...stubs, "POST /api/workspaces/*/add-ons": { success: true, granted: false, active: [], recorded: ["analytics"] } });
    const { user } = renderApp(at);
    await screen.findByText("Price on request");
    await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
    await screen.findByRole("heading", { name: "Your request has been recorded" });
    expect(screen.getByText("We'll get in touch about Analytics for Acme.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to the dashboard" })).toBeTruthy();
  });
});
