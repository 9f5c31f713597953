import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { ada as person, ids, signedIn } from "../../tests/support/web/fixtures.ts";
import { renderApp } from "../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../tests/support/web/stub-api.ts";

const at = "2026-11-20T09:00:00.000Z";
const overview = {
  version: "1.2.3",
  email: { sent: 5, failed: 1, bounced: 2, complaints: 0, workspaces_on_hold: 0, last_error: { at, text: "535 Wrong password" } },
  log: [] as object[],
  jobs: [{ kind: "webhooks", waiting: 4, failed: 2, oldest_at: at }],
  storage: { database_bytes: 9_500_000, file_bytes: 0 },
  machine: { disk_bytes: 100e9, free_bytes: 40e9, backed_up_at: null as string | null, backup_bytes: null },
};
const acme = {
  ...{ id: ids.acme, name: "Acme", subdomain: "acme", created_at: at, owner_email: "ada@acme.example" },
  ...{ members: 3, posts: 1200, file_bytes: 12_400_000, add_ons: ["teams"], requested: ["analytics"], suspension: null, active_at: at },
};
const ada = {
  ...{ id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace", created_at: at },
  ...{ is_confirmed: true, is_operator: true, has_factor: false, workspaces: 1, last_used_at: null },
};
const waiting = { ...ada, id: ids.globex, email: "new@acme.example", full_name: "New", is_confirmed: false, is_operator: false };
const one = { page: 1, pages: 1, total: 1 };

let api: ReturnType<typeof stubApi>;
beforeEach(() => {
  api = stubApi({
    ...signedIn(),
    "GET /api/operator": overview,
    "GET /api/operator/workspaces": { workspaces: [acme], pagination: { page: 1, pages: 3, total: 60 } },
    "GET /api/operator/people": { people: [ada, waiting], pagination: { ...one, total: 2 } },
  });
});

const cells = (name: string) =>
  within(screen.getByRole("table", { name }))
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent));
const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
async function open(path = "/operator") {
  const app = renderApp(path);
  await screen.findByText("Tidings 1.2.3");
  await screen.findByRole("table", { name: "Workspaces" });
  return app;
}
async function choose(user: Awaited<ReturnType<typeof open>>["user"], row: string, choice: string) {
  await user.click(screen.getByRole("button", { name: `Actions for ${row}` }));
  await user.click(screen.getByRole("menuitem", { name: choice }));
}

test("the operator sees workspaces, people, email, jobs, disk and backups", async () => {
  await open();
  const workspace = ["Acmeacme · ada@acme.example", "3", "1,200", "12 MB", "–Asked for: Analytics", "Nov 20, 2026", ""];
  expect(cells("Workspaces")[1]).toEqual(workspace);
  await screen.findByRole("table", { name: "People" });
  expect(cells("People")[1]).toEqual(["Ada Lovelaceada@acme.example", "Operator", "1", "Nov 20, 2026", "–", ""]);
  expect(cells("Jobs")[1]?.slice(0, 3)).toEqual(["Webhooks", "4", "2"]);
  expect(screen.getByText("Page 1 of 3 · 60 in all")).toBeTruthy();
  expect(["Free disk space", "Last backup", "Database"].map(fact)).toEqual(["40 GB of 100 GB", "Never", "9.5 MB"]);
  expect(screen.getByText("535 Wrong password")).toBeTruthy();
});

test("where Supabase hosts the data, the page says that disk and backups are there", async () => {
  api.set({ "GET /api/operator": { ...overview, machine: null } });
  await open();
  expect(["Free disk space", "Last backup"].map(fact)).toEqual(Array(2).fill("Unknown: see your Supabase project"));
});

test("the account menu opens the page for the operator alone", async () => {
  const opened = async (isOperator: boolean) => {
    api.set({ "GET /api/profiles/me": { success: true, profile: { ...person, is_operator: isOperator } } });
    const { user, address, unmount } = renderApp("/workspaces");
    await user.click(await screen.findByRole("button", { name: "My Account: Ada Lovelace" }));
    const installation = screen.queryByRole("menuitem", { name: "Installation" });
    if (installation) await user.click(installation);
    const end = address();
    unmount();
    return end;
  };
  expect(await opened(false)).toBe("/workspaces");
  expect(await opened(true)).toBe("/operator");
});

test("nobody else is told that there is such a page, and no list is asked for", async () => {
  api.set({ "GET /api/operator": refusal("not_found") });
  renderApp("/operator");
  await screen.findByRole("heading", { name: "Page not found" });
  expect(screen.queryByText("Installation")).toBeNull();
  expect(api.to("GET /api/operator/workspaces")).toEqual([]);
});

test("what can't be read says so and leaves the rest", async () => {
  api.set({ "GET /api/operator": refusal("unavailable"), "GET /api/operator/people": refusal("unavailable") });
  renderApp("/operator");
  await screen.findByRole("table", { name: "Workspaces" });
  await waitFor(() => expect(screen.getAllByRole("button", { name: "Try again" })).toHaveLength(2));
});

describe("a list", () => {
  test("is searched by what stands in the address, and says when nothing fits", async () => {
    api.set({ "GET /api/operator/workspaces": { workspaces: [], pagination: { page: 1, pages: 1, total: 0 } } });
    renderApp("/operator?workspace=zed&people=2");
    expect(await screen.findByText("Nothing found")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("searchbox", { name: "Search by name, subdomain or owner" }).value).toBe("zed");
    expect(api.to("GET /api/operator/workspaces").map(({ path }) => path)).toContain("/api/operator/workspaces?search=zed&page=1");
    expect(api.to("GET /api/operator/people").map(({ path }) => path)).toContain("/api/operator/people?search=&page=2");
  });

  test("turns its pages", async () => {
    const { user } = await open();
    await user.click(screen.getByRole("button", { name: "Next" }));
    await waitFor(() => expect(api.to("GET /api/operator/workspaces").at(-1)?.path).toContain("page=2"));
  });
});

test("the operator page grants an add-on and logs it", async () => {
  const path = `POST /api/operator/workspaces/${ids.acme}/add-ons`;
  api.set({ [path]: { success: true } });
  const { user } = await open();
  const act = { id: 1, happened_at: at, operator_name: "Ada Lovelace", kind: "add_on_granted", subject: "Acme" };
  api.set({ "GET /api/operator": { ...overview, log: [{ ...act, details: { add_on: "analytics" } }] } });
  await choose(user, "Acme", "Grant Analytics");
  await screen.findByText("Acme has Analytics from now on.");
  expect(api.to(path).map(({ body }) => body)).toEqual([{ add_on: "analytics" }]);
  expect(await screen.findByText("Granted Analytics to Acme")).toBeTruthy();
});

test("the operator suspends a workspace with a message, and lifts that", async () => {
  const path = `/api/operator/workspaces/${ids.acme}/suspension`;
  api.set({ [`POST ${path}`]: { success: true }, [`DELETE ${path}`]: { success: true } });
  const { user } = await open();
  await choose(user, "Acme", "Suspend workspace");
  const dialog = await screen.findByRole("dialog", { name: "Suspend Acme?" });
  await user.type(within(dialog).getByRole("textbox", { name: "Message to its members" }), "Spam.");
  const suspended = { ...acme, suspension: { since: at, message: "Spam.", contact: "op@tidings.example" } };
  api.set({ "GET /api/operator/workspaces": { workspaces: [suspended], pagination: one } });
  await user.click(within(dialog).getByRole("button", { name: "Suspend workspace" }));
  await screen.findByText("Suspended");
  expect(api.to(`POST ${path}`).map(({ body }) => body)).toEqual([{ message: "Spam." }]);

  await choose(user, "Acme", "Lift suspension");
  api.set({ "GET /api/operator/workspaces": { workspaces: [acme], pagination: one } });
  await user.click(await screen.findByRole("button", { name: "Lift suspension" }));
  await waitFor(() => expect(screen.queryByText("Suspended")).toBeNull());
  expect(api.to(`DELETE ${path}`)).toHaveLength(1);
});

describe("a sign-up link", () => {
  const path = `POST /api/operator/people/${ids.globex}/sign-up-link`;

  test("is sent again to whoever hasn't confirmed", async () => {
    api.set({ [path]: { success: true } });
    const { user } = await open();
    expect(screen.queryByRole("button", { name: "Actions for ada@acme.example" })).toBeNull();
    await choose(user, "new@acme.example", "Resend sign-up link");
    await screen.findByText("new@acme.example gets an email with a new link.");
    expect(api.to(path)).toHaveLength(1);
  });

  test("that was just sent isn't sent again, which the page says", async () => {
    api.set({ [path]: refusal("rate_limited") });
    const { user } = await open();
    await choose(user, "new@acme.example", "Resend sign-up link");
    await screen.findByText("Couldn't send the sign-up link");
  });
});
