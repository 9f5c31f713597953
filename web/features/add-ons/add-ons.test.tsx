import { screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { askedDays, someNumbers } from "../../../tests/support/web/analytics-numbers.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, stubApi } from "../../../tests/support/web/stub-api.ts";

const analytics = `/workspace/${ids.acme}/analytics`;
const has = (...addOns: string[]) => ({
  add_ons: ["teams", ...addOns].map((add_on) => ({ add_on, granted_at: "2026-01-05T09:00:00+00:00" })),
  requested: [],
});
const stubs = {
  ...signedIn([acme]),
  "GET /api/dashboard/*/all": emptyDashboard,
  "GET /api/posts/upcoming": { posts: [] },
  "GET /api/workspaces/*/add-ons": has(),
  "GET /api/workspaces/*/analytics": ({ path }: Asked) => someNumbers(askedDays(path).from, askedDays(path).to),
};
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

describe("analytics", () => {
  test("with the add-on opens", async () => {
    stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": has("analytics") });
    renderApp(analytics);
    await screen.findByRole("slider", { name: "Views by day" });
  });

  test("without it offers the six add-ons, analytics chosen; upgrading goes on to /upgrade with the choice", async () => {
    stubApi(stubs);
    const app = renderApp(analytics);
    await screen.findByRole("dialog", { name: "Upgrade your plan" });
    expect(screen.getByText("Add only what you need")).toBeTruthy();
    expect(screen.queryByRole("slider")).toBeNull();
    const names = ["Analytics", "Single sign-on", "Custom domain", "Backup", "Reports", "Priority support"];
    expect(screen.getAllByRole("checkbox")).toHaveLength(6);
    expect(names.filter((name) => box(name).checked)).toEqual(["Analytics"]);
    await app.user.click(box("Backup"));
    await app.user.click(screen.getByRole("button", { name: "Upgrade now" }));
    await screen.findByRole("heading", { name: "Upgrade" });
    expect(app.address()).toBe(`/upgrade?workspace=${ids.acme}&add-ons=analytics%2Cbackup`);
    expect(names.filter((name) => box(name).checked)).toEqual(["Analytics", "Backup"]);
  });
});

describe("/upgrade", () => {
  const at = `/upgrade?workspace=${ids.acme}&add-ons=analytics,nonsense`;

  test("a hosted installation records the request", async () => {
    stubApi({ ...stubs, "POST /api/workspaces/*/add-ons": { success: true, granted: false, active: [], recorded: ["analytics"] } });
    const { user } = renderApp(at);
    await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
    await screen.findByRole("heading", { name: "Your request has been recorded" });
    expect(screen.getByText("We will get in touch about Analytics for Acme.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to the dashboard" })).toBeTruthy();
  });
});
