import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { askedDays, someNumbers } from "../../../tests/support/web/analytics-numbers.ts";
import { acme, emptyDashboard, globex, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

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

  test("'Go back' leads where one came from", async () => {
    stubApi(stubs);
    const app = renderApp(`/workspace/${ids.acme}/dashboard`);
    await app.user.click(within(await screen.findByRole("navigation", { name: "Workspace" })).getByRole("link", { name: /^Analytics/ }));
    await app.user.click(await screen.findByRole("button", { name: "Go back" }));
    await waitFor(() => expect(app.address()).toBe(`/workspace/${ids.acme}/dashboard`));
  });

  test("opened by its address, 'Go back' leads to the dashboard", async () => {
    stubApi(stubs);
    const app = renderApp(analytics);
    await app.user.click(await screen.findByRole("button", { name: "Go back" }));
    await waitFor(() => expect(app.address()).toBe(`/workspace/${ids.acme}/dashboard`));
  });

  test("add-ons that cannot be read let nobody through", async () => {
    const api = stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": () => refusal("forbidden") });
    const { user } = renderApp(analytics);
    await screen.findByRole("heading", { name: "Analytics could not be loaded" });
    api.set({ "GET /api/workspaces/*/add-ons": has("analytics") });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("slider", { name: "Views by day" });
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

  test("what does not exist yet says so, before it is asked for", async () => {
    stubApi(stubs);
    renderApp(at);
    await screen.findByRole("checkbox", { name: "Analytics" });
    const missing = ["Single sign-on", "Priority support"];
    const names = ["Analytics", "Single sign-on", "Custom domain", "Backup", "Reports", "Priority support"];
    const says = (name: string) => document.getElementById(box(name).getAttribute("aria-describedby")!)!.textContent;
    expect(names.filter((name) => says(name).includes("Coming. We note your interest."))).toEqual(missing);
  });

  test("what was asked for already says so; what does not exist is not asked for twice", async () => {
    stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": { ...has(), requested: ["sso", "reports"] } });
    renderApp(`/upgrade?workspace=${ids.acme}&add-ons=sso`);
    const words = [await screen.findByText("Asked for"), screen.getByText("Asked for, not there yet")];
    expect(words.map(({ parentElement }) => parentElement!.id)).toEqual(
      ["Reports", "Single sign-on"].map((name) => box(name).getAttribute("aria-describedby")),
    );
    expect([box("Single sign-on").disabled, box("Reports").disabled]).toEqual([true, false]);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Upgrade now" }).disabled).toBe(true);
  });

  test("what was granted before it exists is not called active", async () => {
    stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": has("sso") });
    renderApp(at);
    await screen.findByText("Granted, but not there yet");
    expect(screen.queryByText("Already active")).toBeNull();
  });

  test("what is there already cannot be chosen, and nothing chosen cannot be sent", async () => {
    stubApi({ ...stubs, "GET /api/workspaces/*/add-ons": has("analytics") });
    renderApp(at);
    await screen.findByText("Already active");
    expect(box("Analytics").disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Upgrade now" }).disabled).toBe(true);
  });

  test("others are told who can", async () => {
    stubApi({ ...stubs, ...signedIn([globex]) });
    renderApp("/upgrade");
    await screen.findByText(/Only the owner of Globex can upgrade it/);
    expect(screen.queryByRole("button", { name: "Upgrade now" })).toBeNull();
  });

  test("a refusal says why and keeps the choice", async () => {
    stubApi({ ...stubs, "POST /api/workspaces/*/add-ons": refusal("unavailable") });
    const { user } = renderApp(at);
    await user.click(await screen.findByRole("button", { name: "Upgrade now" }));
    expect((await screen.findByRole("alert")).textContent).toContain("The service is starting or busy");
    expect(box("Analytics").checked).toBe(true);
  });
});
