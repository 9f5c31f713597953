import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Invite } from "#contract/invites.ts";
import type { Role } from "#contract/kinds.ts";
import type { TeamMember } from "#contract/team.ts";
import { acme, ada, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { teamRefreshMs } from "../../lib/timings.ts";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/team`;
const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString();
const day = "2026-01-05T09:00:00+00:00";

const member = (id: number, full_name: string, role: Role): TeamMember => ({
  user_id: id === 0 ? ids.person : `7777777${id}-7777-4777-8777-777777777777`,
  full_name,
  email: `${full_name.split(" ")[0]?.toLowerCase()}@acme.example`,
  role,
  avatar_url: null,
  created_at: day,
});
const owner = member(0, ada.full_name, "owner");
const grace = member(1, "Grace Hopper", "editor");
const alan = member(2, "Alan Turing", "admin");

const invite = (changes: Partial<Invite>): Invite => ({
  id: "88888888-8888-4888-8888-888888888888",
  role: "viewer",
  email: null,
  created_by_name: "Ada Lovelace",
  created_at: day,
  expires_at: inAWeek,
  accepted_at: null,
  revoked_at: null,
  ...changes,
});
const made = (changes: object = {}) => ({
  success: true,
  mailed: false,
  renewed: false,
  invite: {
    id: invite({}).id,
    role: "viewer",
    email: null,
    created_at: day,
    expires_at: inAWeek,
    token: "t",
    url: "http://x/join?token=t",
  },
  ...changes,
});

const stubs = (role: Role = "owner", more: object = {}) => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/team/*/team": { members: [grace, owner, alan] },
  "GET /api/team/*/invites": { invites: [] },
  ...more,
});
const rows = async () => within(await screen.findByRole("table", { name: "Current Team Members" })).getAllByRole("row");

describe("the team", () => {
  test("shows who has joined while the page is open, and the invitation leaves the list", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const api = stubApi(
      stubs("owner", {
        "GET /api/team/*/team": { members: [owner] },
        "GET /api/team/*/invites": { invites: [invite({ email: "grace@acme.example" })] },
      }),
    );
    renderApp(address);
    await screen.findByText("grace@acme.example");
    expect(await rows()).toHaveLength(2);
    api.set({ "GET /api/team/*/team": { members: [owner, grace] }, "GET /api/team/*/invites": { invites: [] } });
    await act(() => vi.advanceTimersByTimeAsync(teamRefreshMs));
    vi.useRealTimers();
    await screen.findByText("Grace Hopper");
    await waitFor(() => expect(screen.getAllByText("grace@acme.example")).toHaveLength(1)); // in the table alone
  });

  test("is a table with the owner first, under a shield", async () => {
    stubApi(stubs());
    renderApp(address);
    await screen.findByText("Manage your team members and their permissions");
    expect(screen.getByRole("heading", { name: "Team Management" })).toBeTruthy();
    const [head, first, ...others] = await rows();
    expect(
      within(head!)
        .getAllByRole("columnheader")
        .map((cell) => cell.textContent),
    ).toEqual(["NAME", "ROLE", "ACTIONS"]);
    expect(first!.textContent).toContain("Ada Lovelace (you)");
    expect(first!.querySelector(".pi-shield")).not.toBeNull();
    expect(within(first!).queryByRole("button")).toBeNull();
    expect(others.map((row) => within(row).getByRole("rowheader").textContent)).toEqual([
      expect.stringContaining("Grace Hopper"),
      expect.stringContaining("Alan Turing"),
    ]);
  });

  test("its owner changes a role, and the row follows", async () => {
    const api = stubApi(
      stubs("owner", { "PATCH /api/team/*/members/*/role": { success: true, member: { user_id: grace.user_id, role: "viewer" } } }),
    );
    const { user } = renderApp(address);
    const choice = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Role of Grace Hopper" });
    expect([...choice.options].map(({ text }) => text)).toEqual(["Editor", "Viewer"]);
    await user.selectOptions(choice, "Viewer");
    await waitFor(() => expect(choice.value).toBe("viewer"));
    expect(api.to(`PATCH /api/team/${ids.acme}/members/${grace.user_id}/role`).map(({ body }) => body)).toEqual([{ role: "viewer" }]);
  });

  test("an administrator is shown as one and can be made editor", async () => {
    stubApi(stubs());
    renderApp(address);
    const choice = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Role of Alan Turing" });
    expect([...choice.options].map(({ text }) => text)).toEqual(["Administrator", "Editor", "Viewer"]);
    expect(choice.value).toBe("admin");
  });

  test("a role that is still being changed leaves alone what is asked about somebody else meanwhile", async () => {
    const answers = [pending<object>(), pending<object>()];
    const slow = [...answers];
    stubApi(stubs("owner", { "PATCH /api/team/*/members/*/role": () => slow.shift()?.promise }));
    const { user } = renderApp(address);
    const role = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", { name: `Role of ${name}`, hidden: true });
    await screen.findByRole("combobox", { name: "Role of Grace Hopper" });
    await user.selectOptions(role("Grace Hopper"), "Viewer");
    await user.selectOptions(role("Alan Turing"), "Viewer");
    expect([role("Grace Hopper").disabled, role("Alan Turing").disabled]).toEqual([true, true]);
    answers[1]!.resolve({ success: true, member: { user_id: alan.user_id, role: "viewer" } });
    await waitFor(() => expect(role("Alan Turing").disabled).toBe(false));
    expect(role("Grace Hopper").disabled).toBe(true);

    await user.click(screen.getByRole("button", { name: "Remove Alan Turing" }));
    await screen.findByText("Are you sure you want to remove Alan Turing from the team?");
    answers[0]!.resolve({ success: true, member: { user_id: grace.user_id, role: "viewer" } });
    await waitFor(() => expect(role("Grace Hopper").disabled).toBe(false));
    expect(screen.getByText("Are you sure you want to remove Alan Turing from the team?")).toBeTruthy();
  });

  test("removing asks, and takes the row away", async () => {
    const api = stubApi(stubs("owner", { "DELETE /api/team/*/members/*": { success: true } }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Remove Grace Hopper" }));
    await screen.findByText("Are you sure you want to remove Grace Hopper from the team?");
    await user.click(screen.getByRole("button", { name: "Remove" }));
    await waitFor(async () => expect(await rows()).toHaveLength(3));
    expect(screen.queryByText("grace@acme.example")).toBeNull();
    expect(api.to(`DELETE /api/team/${ids.acme}/members/${grace.user_id}`)).toHaveLength(1);
  });

  test("a refusal is only logged, and the list stays", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    stubApi(stubs("owner", { "DELETE /api/team/*/members/*": refusal("forbidden") }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Remove Grace Hopper" }));
    await user.click(await screen.findByRole("button", { name: "Remove" }));
    await waitFor(() => expect(logged).toHaveBeenCalled());
    expect(await rows()).toHaveLength(4);
    logged.mockRestore();
  });

  test("an admin sees roles as words and removes nobody, but may leave", async () => {
    stubApi(stubs("admin", { "POST /api/team/*/leave": { success: true } }));
    const { user, address: here } = renderApp(address);
    expect((await rows())[2]!.textContent).toContain("Editor");
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(screen.queryByRole("button", { name: /^Remove/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Leave workspace" }));
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    await waitFor(() => expect(here()).toBe("/workspaces"));
  });

  test("its owner hands it over", async () => {
    const api = stubApi(stubs("owner", { "POST /api/team/*/owner": { success: true } }));
    const { user } = renderApp(address);
    await user.selectOptions(await screen.findByRole("combobox", { name: "New owner" }), grace.user_id);
    await user.click(screen.getByRole("button", { name: "Hand ownership over" }));
    await user.click(await screen.findByRole("button", { name: "Hand over" }));
    await screen.findByText("Ownership handed over");
    expect(api.to("POST /api/team/*/owner")[0]?.body).toEqual({ memberId: grace.user_id });
  });

  test("an editor looks at it, without addresses, and changes nothing but his own staying", async () => {
    const nobody = [owner, grace].map((one) => ({ ...one, email: null }));
    const api = stubApi(stubs("editor", { "GET /api/team/*/team": { members: nobody } }));
    renderApp(address);
    expect((await rows()).slice(1).map((row) => row.textContent)).toEqual(["ALAda Lovelace (you)Owner", "GHGrace HopperEditor"]);
    expect(screen.getAllByRole("link", { name: /^Team/ }).length).toBeGreaterThan(0);
    for (const name of [/Invite/, /^Remove/]) expect(screen.queryByRole("button", { name })).toBeNull();
    expect(screen.queryByRole("combobox", { name: /^Role of/ })).toBeNull();
    expect(api.to("GET /api/team/*/invites")).toEqual([]);
    screen.getByRole("button", { name: "Leave workspace" });
  });

  test("a viewer neither has the entry nor reads the team by address", async () => {
    const api = stubApi(stubs("viewer"));
    renderApp(address);
    await screen.findByRole("heading", { name: "The team is managed by owners and administrators" });
    expect(screen.queryByRole("link", { name: /^Team/ })).toBeNull();
    expect(api.to("GET /api/team/*/team")).toEqual([]);
  });

  test("a list that does not come can be asked for again", async () => {
    const api = stubApi(stubs("owner", { "GET /api/team/*/team": () => refusal("forbidden") }));
    const { user } = renderApp(address);
    const alert = (await screen.findByRole("heading", { name: "The team could not be read" })).closest<HTMLElement>("[role=alert]")!;
    api.set({ "GET /api/team/*/team": { members: [owner] } });
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    expect(await rows()).toHaveLength(2);
  });
});

describe("the invite dialog", () => {
  async function openDialog(role: Role = "owner", more: object = {}) {
    const api = stubApi(stubs(role, more));
    const app = renderApp(address);
    await app.user.click(await screen.findByRole("button", { name: "Generate Invite link" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Invite Team Member" }));
    return { ...app, api, dialog };
  }

  test("makes a link once and copies it from then on", async () => {
    const answer = pending<object>();
    const { api, dialog, user } = await openDialog("owner", { "POST /api/team/*/invite": () => answer.promise });
    dialog.getByText("Generate an invitation link to share with a new team member");
    await user.click(dialog.getByRole("radio", { name: "Editor" }));
    await user.click(dialog.getByRole("button", { name: "Generate link" }));
    dialog.getByRole("button", { name: "Generating…" });
    answer.resolve(made());
    await user.click(await dialog.findByRole("button", { name: "Copy" }));
    await dialog.findByRole("button", { name: "Copied" });
    await screen.findByText("Link copied to clipboard");
    expect(await navigator.clipboard.readText()).toBe("http://x/join?token=t");
    expect(dialog.getByRole<HTMLInputElement>("textbox", { name: "Invitation link" }).value).toBe("http://x/join?token=t");
    expect(api.to("POST /api/team/*/invite").map(({ body }) => body)).toEqual([
      { role: "editor", isAdmin: false, workspaceId: ids.acme, email: "", expires_at: "" },
    ]);
  });

  test("other terms want another link", async () => {
    const { api, dialog, user } = await openDialog("owner", { "POST /api/team/*/invite": made() });
    await user.click(dialog.getByRole("button", { name: "Generate link" }));
    await dialog.findByRole("button", { name: "Copy" });
    await user.click(dialog.getByRole("checkbox", { name: "Administrator" }));
    await user.click(dialog.getByRole("button", { name: "Generate link" }));
    await waitFor(() => expect(api.to("POST /api/team/*/invite")[1]?.body).toMatchObject({ role: "viewer", isAdmin: true }));
  });

  test.each([
    ["forbidden", "Please try again later"],
    ["not_found", "No workspace ID found"],
  ] as const)("says when no link could be made: of %s '%s'", async (code, description) => {
    const { dialog, user } = await openDialog("owner", { "POST /api/team/*/invite": refusal(code) });
    await user.click(dialog.getByRole("button", { name: "Generate link" }));
    await screen.findByText("Failed to generate invitation link");
    await screen.findByText(description);
    dialog.getByRole("button", { name: "Generate link" });
  });

  test("an admin cannot invite administrators", async () => {
    const { dialog } = await openDialog("admin");
    expect(dialog.queryByRole("checkbox")).toBeNull();
  });

  test("invites by mail and says that it did", async () => {
    const { api, dialog, user } = await openDialog("owner", { "POST /api/team/*/invites": made({ mailed: true }) });
    await user.click(dialog.getByRole("radio", { name: "Email" }));
    dialog.getByText("Invite a team member via email");
    await user.click(dialog.getByRole("button", { name: "Send invitation" }));
    expect(api.to("POST /api/team/*/invites")).toEqual([]);
    await user.type(dialog.getByLabelText("Email", { selector: "input[type=email]" }), "new@acme.example");
    await user.click(dialog.getByRole("button", { name: "Send invitation" }));
    await screen.findByText("Invitation sent");
    expect(api.to("POST /api/team/*/invites")[0]?.body).toEqual({ role: "viewer", isAdmin: false, email: "new@acme.example" });
  });

  test("another role leaves the address that was typed", async () => {
    const { api, dialog, user } = await openDialog("owner", { "POST /api/team/*/invites": made({ mailed: true }) });
    await user.click(dialog.getByRole("radio", { name: "Email" }));
    const field = () => dialog.getByLabelText<HTMLInputElement>("Email", { selector: "input[type=email]" });
    await user.type(field(), "new@acme.example");
    await user.click(dialog.getByRole("radio", { name: "Editor" }));
    await user.click(dialog.getByRole("checkbox", { name: /Administrator/ }));
    expect(field().value).toBe("new@acme.example");
    await user.click(dialog.getByRole("button", { name: "Send invitation" }));
    await screen.findByText("Invitation sent");
    expect(api.to("POST /api/team/*/invites")[0]?.body).toMatchObject({ isAdmin: true, email: "new@acme.example" });
  });

  test("where no mail can be sent the link is there to hand on", async () => {
    const { dialog, user } = await openDialog("owner", {
      "POST /api/team/*/invites": made({ invite: { ...made().invite, email: "new@acme.example" } }),
    });
    await user.click(dialog.getByRole("radio", { name: "Email" }));
    await user.type(dialog.getByLabelText("Email", { selector: "input[type=email]" }), "new@acme.example{Enter}");
    await dialog.findByText(/works only for new@acme\.example/);
    dialog.getByRole("button", { name: "Copy" });
  });
});

describe("open invitations", () => {
  test("only those that can still be used, with their end, and each can be revoked", async () => {
    const mailed = invite({ id: "99999999-9999-4999-8999-999999999991", email: "new@acme.example", role: "editor" });
    const over = [{ accepted_at: day }, { revoked_at: day }, { expires_at: day }].map((changes, index) =>
      invite({ id: `99999999-9999-4999-8999-99999999998${index}`, email: `over${index}@acme.example`, ...changes }),
    );
    const api = stubApi(
      stubs("owner", {
        "GET /api/team/*/invites": { invites: [invite({}), mailed, ...over] },
        "DELETE /api/team/*/invites/*": { success: true },
      }),
    );
    const { user } = renderApp(address);
    const list = within(await screen.findByRole("list", { name: "Open invitations" }));
    expect(list.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Invitation linkinvited by Ada Lovelace · expires in 7 daysAdministratorEditorViewerRevoke",
      "new@acme.exampleinvited by Ada Lovelace · expires in 7 daysAdministratorEditorViewerSend againRevoke",
    ]);
    await user.click(list.getByRole("button", { name: "Revoke the invitation of new@acme.example" }));
    await screen.findByText("Invitation revoked");
    expect(list.getAllByRole("listitem")).toHaveLength(1);
    expect(api.to(`DELETE /api/team/${ids.acme}/invites/${mailed.id}`)).toHaveLength(1);
  });

  test("the owner makes one for an administrator, and the row says so", async () => {
    const api = stubApi(
      stubs("owner", {
        "GET /api/team/*/invites": { invites: [invite({ email: "new@acme.example" })] },
        "PATCH /api/team/*/invites/*/role": { success: true, invite: { id: invite({}).id, role: "admin" } },
      }),
    );
    const { user } = renderApp(address);
    const choice = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Role of the invitation of new@acme.example" });
    expect(choice.value).toBe("viewer");
    await user.selectOptions(choice, "Administrator");
    await screen.findByText("Role changed");
    expect(choice.value).toBe("admin");
    expect(api.to("PATCH /api/team/*/invites/*/role").map(({ body }) => body)).toEqual([{ role: "admin" }]);
  });

  test("a role that was refused stays, and says why", async () => {
    stubApi(
      stubs("owner", {
        "GET /api/team/*/invites": { invites: [invite({})] },
        "PATCH /api/team/*/invites/*/role": refusal("invalid_invitation"),
      }),
    );
    const { user } = renderApp(address);
    const choice = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Role of the invitation link for Viewer" });
    await user.selectOptions(choice, "Editor");
    await screen.findByText("This invitation link is invalid or has expired.");
    expect(choice.value).toBe("viewer");
  });

  test("an admin changes no invitation for an administrator and makes none", async () => {
    stubApi(
      stubs("admin", {
        "GET /api/team/*/invites": { invites: [invite({ email: "boss@acme.example", role: "admin" }), invite({ id: alan.user_id })] },
      }),
    );
    renderApp(address);
    const [boss, link] = within(await screen.findByRole("list", { name: "Open invitations" })).getAllByRole("listitem");
    expect(boss!.textContent).toBe("boss@acme.exampleAdministrator · invited by Ada Lovelace · expires in 7 daysRevoke");
    expect([...within(link!).getByRole<HTMLSelectElement>("combobox").options].map(({ text }) => text)).toEqual(["Editor", "Viewer"]);
  });

  test("one that was mailed is sent again as it is; where no mail can be sent its link is there", async () => {
    const mailed = invite({ email: "new@acme.example", role: "editor" });
    const api = stubApi(
      stubs("owner", {
        "GET /api/team/*/invites": { invites: [mailed] },
        "POST /api/team/*/invites": made({ mailed: true, renewed: true }),
      }),
    );
    const { user } = renderApp(address);
    const again = await screen.findByRole("button", { name: "Send the invitation of new@acme.example again" });
    await user.click(again);
    await screen.findByText("Invitation sent again");
    expect(api.to("POST /api/team/*/invites")[0]?.body).toEqual({ role: "editor", isAdmin: false, email: "new@acme.example" });
    api.set({ "POST /api/team/*/invites": made({ renewed: true }) });
    await user.click(again);
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Invitation link" })).value).toBe("http://x/join?token=t");
  });

  test("that do not come can be asked for again", async () => {
    const api = stubApi(stubs("owner", { "GET /api/team/*/invites": () => refusal("unavailable") }));
    const { user } = renderApp(address);
    await screen.findByText("The invitations could not be read");
    api.set({ "GET /api/team/*/invites": { invites: [invite({})] } });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("list", { name: "Open invitations" });
    expect(screen.queryByText("The invitations could not be read")).toBeNull();
  });

  test("none, no heading", async () => {
    stubApi({ ...stubs(), "GET /api/dashboard/*/all": emptyDashboard });
    renderApp(address);
    await rows();
    expect(screen.queryByRole("heading", { name: "Open invitations" })).toBeNull();
  });
});
