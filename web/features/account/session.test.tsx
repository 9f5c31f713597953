import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { profileFromUser } from "./profile.ts";
import { acme, ada, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { startOver } from "../../lib/go-to.ts";
import { announceSession } from "../../lib/session-channel.ts";
import { forgetSessionCookie } from "../../../tests/support/web/setup.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

vi.mock("../../lib/go-to.ts", () => ({ startOver: vi.fn() }));

const dashboard = `/workspace/${ids.acme}/dashboard`;
const bob = { ...ada, user_id: "66666666-6666-4666-8666-666666666666", full_name: "Bob Beta", email: "bob@beta.example" };
const endedAnswer = () => refusal("unauthenticated");

describe("session guard", () => {
  test.each(["/", "/workspaces", "/onboarding", `${dashboard}?x=1#y`, `/workspace/${ids.acme}`, "/changelog/new"])(
    "redirects %s to sign-in and back",
    async (path) => {
      stubApi({ "GET /api/profiles/me": endedAnswer });
      const { address } = renderApp(path);
      await screen.findByRole("heading", { name: "Sign in to your account" });
      expect(new URL(address(), location.origin).searchParams.get("redirectTo")).toBe(path);
    },
  );

  test.each(["/", "/join?token=t"])("makes no signed-in calls for %s without a session cookie", async (path) => {
    forgetSessionCookie();
    const api = stubApi({ "GET /api/team/invites/*": refusal("invalid_invitation") });
    renderApp(path);
    await screen.findByRole("heading", { level: 1 });
    expect(api.requests.map(({ path }) => path)).toEqual(path === "/" ? [] : ["/api/team/invites/t"]);
  });

  test("clears the first user's data when another signs in", async () => {
    const api = stubApi(signedIn());
    const app = renderApp("/workspaces");
    await screen.findByRole("button", { name: "My Account: Ada Lovelace" });
    await app.router.navigate("/auth");
    api.set({
      "GET /api/profiles/me": { success: true, profile: bob },
      "GET /api/workspaces": { workspaces: [] },
      "POST /api/auth/login": { workspaceId: null, user: { id: bob.user_id, email: bob.email, full_name: bob.full_name } },
    });
    await app.user.type(await screen.findByLabelText("Email"), bob.email);
    await app.user.type(screen.getByLabelText("Password"), "a long secret");
    await app.user.click(screen.getByRole("button", { name: "Sign In" }));
    await screen.findByRole("button", { name: "My Account: Bob Beta" });
    await screen.findByText("No workspaces yet");
    expect(screen.queryByText("Acme")).toBeNull();
  });
});

describe("profile", () => {
  test("falls back to session metadata with a warning", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const user = {
      id: ids.person,
      email: "grace@acme.example",
      user_metadata: {},
      created_at: "2026-01-05T09:00:00Z",
      aud: "",
      app_metadata: {},
    };
    const expires_at = Math.floor(Date.now() / 1000) + 3_600;
    const session = { access_token: "a.b.c", refresh_token: "r", token_type: "bearer", expires_in: 3_600, expires_at, user };
    document.cookie = `tc-auth=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}; path=/`;
    stubApi({ ...signedIn(), "GET /api/profiles/me": () => refusal("internal") });
    renderApp("/workspaces");
    await screen.findByRole("button", { name: "My Account: grace" });
    expect(warned).toHaveBeenCalled();
    document.cookie = "tc-auth=; path=/; max-age=0";
  });

  test.each([
    [{ full_name: " Grace Hopper " }, "Grace Hopper"],
    [{ full_name: " " }, "grace"],
    [{}, "grace"],
  ])("session metadata %j gives the name %s", (user_metadata, name) => {
    const user = { id: ids.person, email: "grace@navy.example", user_metadata, created_at: "2026-01-05T09:00:00Z" };
    expect(profileFromUser(user).full_name).toBe(name);
  });
});

describe("session watch", () => {
  const comeBack = () => document.dispatchEvent(new Event("visibilitychange"));
  async function open() {
    sessionStorage.setItem("tc:onboarding", JSON.stringify({ step: 1, values: { name: "Ada's plan" }, pictures: "x" }));
    const api = stubApi(signedIn());
    renderApp("/workspaces");
    await screen.findByRole("link", { name: /Acme/ });
    vi.mocked(startOver).mockClear();
    return api;
  }

  test("restarts the app when another user signed in", async () => {
    const api = await open();
    api.set({ "GET /api/profiles/me": { success: true, profile: bob } });
    comeBack();
    await waitFor(() => expect(startOver).toHaveBeenCalledWith("/workspaces"));
    expect(screen.queryByText("Acme")).toBeNull();
    expect(sessionStorage.getItem("tc:onboarding")).toBeNull();
  });

  test("checks at once when another tab announces a change", async () => {
    const api = await open();
    api.set({ "GET /api/profiles/me": { success: true, profile: bob } });
    announceSession();
    await waitFor(() => expect(startOver).toHaveBeenCalledWith("/workspaces"));
    expect(screen.queryByText("Acme")).toBeNull();
  });

  test("asks to sign in again when the session has ended", async () => {
    const api = await open();
    api.set({ "GET /api/profiles/me": endedAnswer });
    comeBack();
    await screen.findByRole("dialog", { name: "Your session has ended" });
    api.set(signedIn());
    comeBack();
    await screen.findByText("You're signed in again");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("session end on an open page", () => {
  async function end() {
    const api = stubApi({
      ...signedIn([{ ...acme, role: "owner" }]),
      "GET /api/dashboard/*/all": emptyDashboard,
      "GET /api/posts/upcoming": { posts: [] },
      "POST /api/public/changelog/toggle": endedAnswer,
    });
    const app = renderApp(dashboard);
    await app.user.click(await screen.findByRole("switch", { name: "Public Changelog" }));
    await screen.findByRole("dialog", { name: "Your session has ended" });
    return { ...app, api };
  }

  test("shows a sign-in dialog, then lets the action be repeated", async () => {
    const { api, user, address } = await end();
    expect(screen.getByText("ada@acme.example")).toBeTruthy();
    api.set({
      "POST /api/auth/login": { workspaceId: ids.acme, user: { id: ids.person, email: "ada@acme.example", full_name: "Ada" } },
      "POST /api/public/changelog/toggle": { enabled: true },
      "GET /api/dashboard/*/all": { ...emptyDashboard, public_changelog_enabled: true },
    });
    await user.type(screen.getByLabelText("Password"), "a long secret");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(api.to("POST /api/auth/login")[0]?.body).toMatchObject({ email: "ada@acme.example" });
    expect(address()).toBe(dashboard);
    await user.click(screen.getByRole("switch", { name: "Public Changelog" }));
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>("switch").checked).toBe(true));
  });

  test("ignores a late 401 of the old session", async () => {
    const { api, user } = await end();
    const late = pending<Response>();
    api.set({
      "GET /api/profiles/me": () => late.promise,
      "POST /api/auth/login": { workspaceId: ids.acme, user: { id: ids.person, email: "ada@acme.example", full_name: "Ada" } },
    });
    document.dispatchEvent(new Event("visibilitychange"));
    await user.type(screen.getByLabelText("Password"), "a long secret");
    await user.click(screen.getByRole("button", { name: "Sign In" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    late.resolve(endedAnswer());
    await act(() => new Promise((resolve) => setTimeout(resolve, 50))); // the response was handled and rendered
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
