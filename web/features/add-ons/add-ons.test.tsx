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

  test("the owner gets what was chosen", async () => {
    const api = stubApi({
      ...stubs,
      "POST /api/workspaces/*/add-ons": { success: true, granted: true, active: ["analytics"], recorded: [] },
    });
    const { user } = renderApp(at);
    await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
    await screen.findByRole("heading", { name: "Your upgrade is active" });
    expect(api.to("POST /api/workspaces/*/add-ons").map(({ body }) => body)).toEqual([{ add_ons: ["analytics"] }]);
    expect(screen.getByText("Acme has Analytics from now on.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to Analytics" }).getAttribute("href")).toBe(analytics);
  });

  test("a hosted installation records the request", async () => {
    stubApi({ ...stubs, "POST /api/workspaces/*/add-ons": { success: true, granted: false, active: [], recorded: ["analytics"] } });
    const { user } = renderApp(at);
    await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
    await screen.findByRole("heading", { name: "Your request has been recorded" });
    expect(screen.getByText("We will get in touch about Analytics for Acme.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to the dashboard" })).toBeTruthy();
  });

  test("of a mixed choice, what exists is there and leads to it, and what does not is written down", async () => {
    const outcome = { success: true, granted: false, active: ["analytics", "backup", "reports"], recorded: ["sso", "priority-support"] };
    const api = stubApi({ ...stubs, "POST /api/workspaces/*/add-ons": outcome });
    const { user } = renderApp(`/upgrade?workspace=${ids.acme}&add-ons=analytics,sso,backup,reports,priority-support`);
    await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
    await screen.findByRole("heading", { name: "Part of your upgrade is active" });
    expect(api.to("POST /api/workspaces/*/add-ons")[0]!.body).toEqual({
      add_ons: ["analytics", "sso", "backup", "reports", "priority-support"],
    });
    screen.getByText(
      "Acme has Analytics, Backup, and Reports from now on. Single sign-on and Priority support are not there yet. We have written down that Acme wants them.",
    );
    expect(screen.getByRole("link", { name: "Go to Analytics" }).getAttribute("href")).toBe(analytics);
    expect(screen.getByRole("link", { name: "Go to Backup" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/settings#backup`);
    expect(screen.getByRole("link", { name: "Go to Reports" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/settings#reports`);
  });
});
