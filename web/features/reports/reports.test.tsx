import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { Role } from "#contract/kinds.ts";
import type { ReportRecipient, Reports } from "#contract/reports.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";

const at = `/workspace/${ids.acme}/settings/email`;
const path = "GET /api/workspaces/*/reports";
const has = (...addOns: string[]) => ({
  add_ons: addOns.map((add_on) => ({ add_on, granted_at: "2026-01-01T00:00:00.000Z" })),
  requested: [],
  included: true,
});

const owner: ReportRecipient = { id: null, email: "ada@acme.example", name: "Ada Lovelace", kind: "owner", state: "active" };
const named = (at: number, fields: Partial<ReportRecipient> = {}): ReportRecipient => ({
  ...{ id: `77777777-7777-4777-8777-7777777777${String(at).padStart(2, "0")}`, email: `named${at}@board.example`, name: null },
  ...{ kind: "address", state: "active" },
  ...fields,
});
const reports = (recipients: ReportRecipient[] = [owner], fields: Partial<Reports> = {}): Reports => ({
  ...{ recipients, mine: true, next_at: "2026-12-01T09:00:00.000Z", last_month: "2026-10-01", held: false },
  ...fields,
});
const stubs = (answer: unknown = reports(), role: Role = "owner", addOns = has("teams", "reports")) => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/team/*/team": { members: [] },
  "GET /api/workspaces/*/add-ons": addOns,
  "GET /api/workspaces/*/domains": { domains: [] },
  "GET /api/workspaces/*/backup": { settings: null, runs: [] },
  [path]: answer,
});
const open = async (...given: Parameters<typeof stubs>) => {
  const api = stubApi(stubs(...given) as never);
  const app = renderApp(at);
  await screen.findByRole("heading", { level: 1 });
  return { ...app, api };
};
const section = () => screen.getByRole("region", { name: "Monthly report" });

describe("report section", () => {
  test.each<[Role, string[], boolean]>([
    ["owner", ["teams", "reports"], true],
    ["admin", ["teams", "reports"], true],
    ["owner", ["teams", "analytics"], false],
    ["editor", ["teams", "reports"], false],
    ["viewer", ["teams", "reports"], false],
  ])("visible to the %s of a workspace with %j: %j", async (role, addOns, isThere) => {
    const { api } = await open(reports(), role, has(...addOns));
    if (isThere) return void (await screen.findByRole("heading", { name: "Monthly report" }));
    await waitFor(() => expect(api.requests.some(({ path }) => path.endsWith("/settings"))).toBe(false));
    expect(screen.queryByRole("heading", { name: "Monthly report" })).toBeNull();
    expect(api.to(path)).toEqual([]);
  });
});

describe("somebody is added", () => {
  const add = async (answer: unknown, typed = "new@board.example") => {
    const api = stubApi({ ...stubs(), "POST /api/workspaces/*/reports/recipients": answer } as never);
    const app = renderApp(at);
    await app.user.type(await screen.findByLabelText("Add recipient"), typed);
    await app.user.click(within(section()).getByRole("button", { name: "Add" }));
    return { ...app, api };
  };

  test("adds members right away", async () => {
    await add({ added: true, recipient: named(5, { kind: "member" }) });
    await screen.findByText("named5@board.example gets the next report");
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
