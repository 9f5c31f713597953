import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { emptyDashboard, globex, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const user = { id: ids.person, email: "ada@acme.example", full_name: "Ada Lovelace" };
const invite = (role: Role = "editor") => ({ workspace_id: ids.globex, workspace_name: "Globex", invited_role: role, invited_by: "Grace" });
const joined = { success: true, workspaceId: ids.globex };
const dashboard = `/workspace/${ids.globex}/dashboard`;
const visitor = { "GET /api/profiles/me": () => refusal("unauthenticated") };
const member = { ...signedIn([globex]), "GET /api/dashboard/*/all": emptyDashboard, "GET /api/posts/upcoming": { posts: [] } };

describe("/join", () => {
  test.each<[Role, string]>([
    ["admin", "Join Globex as an Administrator"],
    ["editor", "Join Globex as an Editor"],
    ["viewer", "Join Globex as a Viewer"],
    ["owner", "Join Globex as a Team Member"],
  ])("shows workspace and role %s", async (role, sentence) => {
    stubApi({ ...visitor, "GET /api/team/invites/*": invite(role) });
    renderApp("/join?token=secret");
    await screen.findByRole("heading", { name: "You're invited!" });
    expect(document.body.textContent).toContain(sentence);
    expect(screen.getByText("Grace invited you.")).toBeTruthy();
  });

  test.each([
    ["Create a new account", "signup", "Sign Up"],
    ["Sign in with existing account", "signin", "Sign in to your account"],
  ])("'%s' goes to /auth with the token and stores it", async (name, type, title) => {
    stubApi({ ...visitor, "GET /api/team/invites/*": invite() });
    const app = renderApp("/join?token=secret");
    await app.user.click(await screen.findByRole("link", { name }));
    await screen.findByRole("heading", { name: title });
    const query = new URL(app.address(), location.origin).searchParams;
    expect(Object.fromEntries(query)).toEqual({ type, returnUrl: "/join/complete?token=secret", token: "secret" });
    expect(localStorage.getItem("tc:inviteToken")).toBe("secret");
    expect(localStorage.getItem("tc:inviteWorkspaceId")).toBe(ids.globex);
  });

  test("the wrong account is told so, and can be changed for the right one", async () => {
    stubApi({
      ...member,
      "GET /api/team/invites/*": invite(),
      "POST /api/team/join": refusal("wrong_invitation_account"),
      "POST /api/auth/logout": { success: true },
    });
    const app = renderApp("/join?token=secret");
    await app.user.click(await screen.findByRole("button", { name: "Accept Invitation & Join Team" }));
    await screen.findByText("This invitation was sent to another email address.");
    expect(screen.getByText("ada@acme.example")).toBeTruthy();
    await app.user.click(screen.getByRole("button", { name: "Use another account" }));
    await screen.findByRole("heading", { name: "Sign in to your account" });
    expect(new URL(app.address(), location.origin).searchParams.get("returnUrl")).toBe("/join/complete?token=secret");
    await waitFor(() => expect(localStorage.getItem("tc:inviteToken")).toBe("secret"));
  });
});

describe("/join/complete", () => {
  beforeEach(() => {
    localStorage.setItem("tc:inviteToken", "kept");
    localStorage.setItem("tc:inviteWorkspaceId", ids.globex);
  });

  test("asks first when only this browser remembers an invitation: somebody else may have begun it", async () => {
    const api = stubApi({ ...member, "GET /api/team/invites/*": invite(), "POST /api/team/join": joined });
    const app = renderApp("/join/complete");
    await screen.findByRole("heading", { name: "You're invited!" });
    expect(api.to("POST /api/team/join")).toEqual([]);
    await app.user.click(screen.getByRole("button", { name: "Accept Invitation & Join Team" }));
    await waitFor(() => expect(app.address()).toBe(dashboard));
    expect(api.to("POST /api/team/join")[0]?.body).toEqual({ token: "kept" });
    expect(localStorage).toHaveLength(0);
  });

  test.each([
    ["a used link", () => refusal("invalid_invitation"), "This invitation link is invalid or has expired."],
    ["a response without a workspace", () => ({ success: true }), "Failed to join the team. Please try again later."],
  ])("shows an error with a link for %s", async (_, answer, sentence) => {
    stubApi({ ...member, "POST /api/team/join": answer });
    renderApp("/join/complete?token=secret");
    await screen.findByRole("heading", { name: "Something went wrong" });
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Go to Workspaces" })).toBeTruthy();
  });
});

describe("email confirmation", () => {
  const verified = { "POST /api/auth/verify": { success: true, user, choosePassword: false } };
  const confirm = async () => {
    const app = renderApp("/auth/confirm?token_hash=abc&type=signup");
    await app.user.click(await screen.findByRole("button", { name: "Confirm and continue" }));
    return app;
  };

  test("opens an invitation stored in this browser, which asks first", async () => {
    localStorage.setItem("tc:inviteToken", "kept");
    const api = stubApi({
      ...member,
      ...verified,
      "GET /api/team/invites/*": invite(),
      "POST /api/team/join/session": refusal("invalid_invitation"),
    });
    const app = await confirm();
    await waitFor(() => expect(app.address()).toBe("/join?token=kept"));
    await screen.findByRole("button", { name: "Accept Invitation & Join Team" });
    expect(api.to("POST /api/team/join")).toEqual([]);
  });
});

describe("OAuth callback", () => {
  const callback = (query: Record<string, string>) => `/auth/callback?${new URLSearchParams(query)}`;
  const entered = { "POST /api/auth/callback": { success: true, workspaceId: ids.globex, user } };

  test("exchanges the code once and returns to where sign-in started", async () => {
    const api = stubApi({ ...member, ...entered, "POST /api/team/join": joined });
    const next = `/auth?${new URLSearchParams({ type: "signup", returnUrl: "/join/complete?token=secret", token: "secret" })}`;
    const app = renderApp(callback({ code: "abc", next }));
    await waitFor(() => expect(app.address()).toBe(dashboard));
    expect(api.to("POST /api/auth/callback").map(({ body }) => body)).toEqual([{ code: "abc" }]);
    expect(api.to("POST /api/team/join")[0]?.body).toEqual({ token: "secret" });
  });

  test("shows and logs an invalid code", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    stubApi({ "POST /api/auth/callback": refusal("link_invalid") });
    renderApp(callback({ code: "spent" }));
    await screen.findByText("This link is invalid or has already been used.");
    expect(screen.getByRole("link", { name: "Go to Sign In" })).toBeTruthy();
    expect(logged).toHaveBeenCalled();
  });
});
