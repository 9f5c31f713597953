import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import type { ReportRecipient, Reports } from "#contract/reports.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const reports: Reports = {
  recipients: [{ id: null, email: "ada@acme.example", name: "Ada Lovelace", kind: "owner", state: "active" }],
  ...{ mine: true, next_at: "2026-12-01T09:00:00.000Z", last_month: "2026-10-01", held: false },
};

describe("report section", () => {
  test.each<[Role, string[], boolean]>([
    ["owner", ["teams", "reports"], true],
    ["admin", ["teams", "reports"], true],
    ["owner", ["teams", "analytics"], false],
    ["editor", ["teams", "reports"], false],
    ["viewer", ["teams", "reports"], false],
  ])("visible to the %s of a workspace with %j: %j", async (role, addOns, isThere) => {
    const granted_at = "2026-01-01T00:00:00.000Z";
    const api = stubApi({
      ...signedIn([{ ...acme, role }]),
      "GET /api/workspaces/*/add-ons": { add_ons: addOns.map((add_on) => ({ add_on, granted_at })), requested: [], included: true },
      "GET /api/workspaces/*/reports": reports,
    });
    renderApp(`/workspace/${ids.acme}/settings/email`);
    await screen.findByRole("heading", { level: 1 });
    if (isThere) return void (await screen.findByRole("heading", { name: "Monthly report" }));
    await waitFor(() => expect(api.requests.some(({ path }) => path.endsWith("/settings"))).toBe(false));
    expect(screen.queryByRole("heading", { name: "Monthly report" })).toBeNull();
    expect(api.to("GET /api/workspaces/*/reports")).toEqual([]);
  });
});

describe("the page of a report's link", () => {
  const token = "T".repeat(48);
  const link = (state: ReportRecipient["state"]) => ({ workspace: "Acme", email: "bob@board.example", state });
  const visit = (answers: object) => {
    const api = stubApi({ "GET /api/config": {}, ...answers } as never);
    return { ...renderApp(`/reports/${token}`), api };
  };
  const read = "GET /api/reports/*/recipient";

  test.each([
    ["asked", ["Yes, send me the reports", "No, thanks"]],
    ["active", ["Stop these reports"]],
    ["stopped", ["Send me the reports again"]],
  ] as const)("of one who is %s has %j, changes nothing when it is opened, and works signed out", async (state, buttons) => {
    const { api } = visit({ [read]: link(state) });
    await screen.findByRole("button", { name: buttons[0] });
    const shown = within(screen.getByRole("main")).getAllByRole("button");
    expect(shown.map((button) => button.textContent)).toEqual(buttons);
    expect(screen.getByText("bob@board.example")).toBeTruthy();
    expect(api.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
