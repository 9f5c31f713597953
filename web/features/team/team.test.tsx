import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Invite } from "#contract/invites.ts";
import type { Role } from "#contract/kinds.ts";
import type { TeamMember } from "#contract/team.ts";
import { acme, ada, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
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

const stubs = (role: Role = "owner", more: object = {}) => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/team/*/team": { members: [grace, owner, alan] },
  "GET /api/team/*/invites": { invites: [] },
  ...more,
});
const rows = async () => within(await screen.findByRole("table", { name: "Current Team Members" })).getAllByRole("row");

test("several addresses are invited at once: wrong ones are named, and members", async () => {
  const address = "grace@acme.example";
  const made = (email: string, renewed: boolean) => ({
    invite: { ...invite({ email }), token: "secret", url: "https://tidings.example/join?token=secret" },
    ...{ mailed: true, renewed },
  });
  const answer = { success: true, invites: [made("ina@example.com", false), made("ole@example.com", true)], members: [address] };
  const api = stubApi(stubs("owner", { "POST /api/team/*/invites/batch": answer }));
  const { user } = renderApp(`/workspace/${ids.acme}/team`);
  await user.click(await screen.findByRole("button", { name: "Generate Invite link" }));
  await user.click(await screen.findByRole("radio", { name: "Email" }));
  const field = screen.getByRole("textbox", { name: "Email addresses" });
  await user.click(field);
  await user.paste("ina@example.com, ole;");
  await user.click(screen.getByRole("button", { name: "Send invitations" }));
  await screen.findByText("ole isn't a valid email address");
  await user.clear(field);
  await user.paste(`Ina@example.com ole@example.com\n${address}`);
  await user.click(screen.getByRole("button", { name: "Send invitations" }));
  await screen.findByText("2 invitations sent, 1 of them again");
  await screen.findByText("Already in the team");
  expect(screen.getByRole("textbox", { name: "Email addresses" }).getAttribute("aria-invalid")).toBe("false");
  const emails = ["ina@example.com", "ole@example.com", address];
  expect(api.to("POST /api/team/*/invites/batch")[0]?.body).toEqual({ role: "viewer", isAdmin: false, emails });
});

describe("team table", () => {
  test("says why a member couldn't be removed, and keeps the question open", async () => {
    stubApi(stubs("owner", { "DELETE /api/team/*/members/*": () => refusal("internal") }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Remove Alan Turing" }));
    await user.click(await screen.findByRole("button", { name: "Remove" }));
    await screen.findByText("Couldn't change the team");
    expect(screen.getByText("Are you sure you want to remove Alan Turing from the team?")).toBeTruthy();
  });

  test("polls for joined members and removes their invitations", async () => {
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
    await waitFor(() => expect(screen.getAllByText("grace@acme.example")).toHaveLength(1)); // only in the table
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
});
