import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const at = "2026-11-20T09:00:00.000Z";
const overview = {
  version: "1.2.3",
  workspaces: {
    count: 201,
    newest: [
      {
        ...{ id: ids.acme, name: "Acme", subdomain: "acme", created_at: at, owner_email: "ada@acme.example" },
        ...{ members: 3, posts: 1200, file_bytes: 12_400_000, add_ons: ["teams"], requested: ["analytics"], active_at: at },
      },
    ],
  },
  people: {
    count: 1,
    newest: [
      {
        ...{ id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace", created_at: at },
        ...{ is_confirmed: true, is_operator: true, workspaces: 1, last_used_at: null },
      },
    ],
  },
  email: { sent: 5, failed: 1, bounced: 2, complaints: 0, workspaces_on_hold: 0 },
  log: [] as object[],
  jobs: [{ kind: "webhooks", waiting: 4, failed: 2, oldest_at: at }],
  storage: { database_bytes: 9_500_000, file_bytes: 0 },
};
const cells = (name: string | RegExp) =>
  within(screen.getByRole("table", { name }))
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent));

test("the operator sees workspaces, people, email, jobs and storage", async () => {
  stubApi({ ...signedIn(), "GET /api/operator": overview });
  renderApp("/operator");
  await screen.findByText("Tidings 1.2.3");
  expect(cells("Workspaces: the newest 1 of 201")[1]).toEqual([
    "Acmeacme",
    "ada@acme.example",
    "3",
    "1,200",
    "12 MB",
    "TeamsAsked for: Analytics",
    "Nov 20, 2026",
    "",
  ]);
  expect(cells("People (1)")[1]).toEqual(["Ada Lovelaceada@acme.example", "Operator", "1", "Nov 20, 2026", "–"]);
  expect(cells("Jobs")[1]?.slice(0, 3)).toEqual(["Webhooks", "4", "2"]);
  expect(screen.getByText("9.5 MB")).toBeTruthy();
});

test("nobody else is told that there is such a page", async () => {
  stubApi({ ...signedIn(), "GET /api/operator": refusal("not_found") });
  renderApp("/operator");
  await screen.findByRole("heading", { name: "This page was not found" });
  expect(screen.queryByText("Installation")).toBeNull();
});

test("the operator grants an add-on, and the act is listed", async () => {
  const path = `POST /api/operator/workspaces/${ids.acme}/add-ons`;
  const api = stubApi({ ...signedIn(), "GET /api/operator": overview, [path]: { success: true } });
  const { user } = renderApp("/operator");
  await user.click(await screen.findByRole("button", { name: "Actions for Acme" }));
  api.set({
    "GET /api/operator": {
      ...overview,
      log: [
        {
          id: 1,
          happened_at: at,
          operator_name: "Ada Lovelace",
          kind: "add_on_granted",
          workspace_name: "Acme",
          details: { add_on: "analytics" },
        },
      ],
    },
  });
  await user.click(screen.getByRole("menuitem", { name: "Grant Analytics" }));
  await screen.findByText("Acme has Analytics from now on.");
  expect(api.to(path).map(({ body }) => body)).toEqual([{ add_on: "analytics" }]);
  await waitFor(() => expect(cells("What operators did")[1]?.slice(1)).toEqual(["Ada Lovelace", "Granted Analytics to Acme"]));
});
